import { assert, describe, it } from "@effect/vitest"
import { readAnnouncement } from "@trunkline/telephony"

/** Announcements of networks, by what they mean; some as transcribers write them. */
const announcements: Readonly<Record<string, ReadonlyArray<string>>> = {
  "17 busy": [
    "The number you are calling is busy. Please try again later.",
    "the person you are speaking with is on another call please stay on the line",
    "The Airtel customer you are calling is busy on another call. Please call after some time.",
    "The subscriber you have dialled is currently busy.",
    "जिस व्यक्ति से आप संपर्क करना चाहते हैं, वह अभी व्यस्त हैं। कृपया थोड़ी देर बाद प्रयास करें।",
    "आप जिस नंबर पर कॉल कर रहे हैं वह अभी किसी अन्य कॉल पर है",
    "aap jis number par call kar rahe hain vah abhi vyast hai kripya kuch der baad prayas karen",
    "Aap jis vyakti ko call kar rahe hain woh dusri call par hain.",
    "आपण संपर्क करू इच्छित असलेला क्रमांक व्यस्त आहे",
    "আপনি যে নম্বরে কল করেছেন সেটি এখন ব্যস্ত আছে",
    "તમે જે નંબર પર કોલ કર્યો છે તે હાલમાં વ્યસ્ત છે",
    "நீங்கள் அழைத்த வாடிக்கையாளர் வேறொரு அழைப்பில் உள்ளார்",
    "మీరు కాల్ చేసిన వ్యక్తి మరొక కాల్‌లో బిజీగా ఉన్నారు",
    "ನೀವು ಕರೆ ಮಾಡಿರುವ ಚಂದಾದಾರರು ಬೇರೊಂದು ಕರೆಯಲ್ಲಿದ್ದಾರೆ",
    "നിങ്ങൾ വിളിക്കുന്ന വ്യക്തി തിരക്കിലാണ്",
    "آپ جس نمبر پر کال کر رہے ہیں وہ مصروف ہے"
  ],
  "20 switched off": [
    "The number you are calling is switched off.",
    "The Vodafone number you are trying to call is currently switched off. Please try again later.",
    "the number you have dialed is switch off",
    "आप जिस नंबर पर कॉल कर रहे हैं वह अभी स्विच ऑफ है।",
    "डायल किया गया नंबर अभी स्विच्ड ऑफ़ है, कृपया कुछ समय बाद कॉल करें।",
    "जिससे आप संपर्क करना चाहते हैं उनका फ़ोन फिलहाल बंद है",
    "aapke dwara dial kiya gaya number abhi switch off hai",
    "आपण डायल केलेला क्रमांक सध्या स्विच ऑफ आहे",
    "আপনি যে নম্বরে ফোন করেছেন সেটি এখন সুইচ অফ আছে",
    "તમે ડાયલ કરેલો નંબર હાલમાં સ્વિચ ઓફ છે",
    "ਤੁਹਾਡੇ ਦੁਆਰਾ ਡਾਇਲ ਕੀਤਾ ਨੰਬਰ ਬੰਦ ਹੈ",
    "நீங்கள் அழைத்த எண் சுவிட்ச் ஆஃப் செய்யப்பட்டுள்ளது",
    "మీరు కాల్ చేస్తున్న నంబర్ ప్రస్తుతం స్విచ్ ఆఫ్ చేయబడి ఉంది",
    "ನೀವು ಕರೆ ಮಾಡಿದ ಸಂಖ್ಯೆ ಸ್ವಿಚ್ ಆಫ್ ಆಗಿದೆ",
    "നിങ്ങൾ വിളിക്കുന്ന നമ്പർ സ്വിച്ച് ഓഫ് ആണ്",
    "آپ کا ڈائل کیا ہوا نمبر بند ہے"
  ],
  "20 not reachable": [
    "The number you are trying to call is not reachable. Please try again later.",
    "The subscriber you are calling is out of coverage area. Please check the number or try again later.",
    "The person you are trying to reach is currently unavailable",
    "the number you are trying to reach can't be reached at the moment",
    "आप जिस व्यक्ति से संपर्क करना चाहते हैं वह अभी पहुँच से बाहर है",
    "आप जिस ग्राहक को कॉल कर रहे हैं वह कवरेज क्षेत्र से बाहर हैं",
    "aap jis number par call kar rahe hain woh abhi network coverage kshetra se bahar hai",
    "jis vyakti se aap baat karna chahte hain vah pahunch se bahar hai",
    "আপনি যে নম্বরে কল করেছেন তা এখন পরিষেবা সীমার বাইরে আছে",
    "તમે કોલ કરેલ નંબર કવરેજ ક્ષેત્રની બહાર છે",
    "நீங்கள் அழைத்த எண் தொடர்பு எல்லைக்கு வெளியே உள்ளது",
    "మీరు కాల్ చేసిన వ్యక్తి ప్రస్తుతం అందుబాటులో లేరు",
    "ನೀವು ಕರೆ ಮಾಡಿದ ಚಂದಾದಾರರು ವ್ಯಾಪ್ತಿ ಪ್ರದೇಶದಿಂದ ಹೊರಗಿದ್ದಾರೆ",
    "നിങ്ങൾ വിളിക്കുന്ന വ്യക്തി പരിധിക്ക് പുറത്താണ്"
  ],
  "19 not answering": [
    "The person you are calling is not answering. Please try later.",
    "the number you have called did not answer",
    "आप जिस व्यक्ति को कॉल कर रहे हैं वह जवाब नहीं दे रहे हैं",
    "aap jise call kar rahe hain woh jawab nahi de rahe hain",
    "आपण कॉल केलेली व्यक्ती उत्तर देत नाही",
    "நீங்கள் அழைத்தவர் பதிலளிக்கவில்லை",
    "ನೀವು ಕರೆ ಮಾಡಿದವರು ಉತ್ತರಿಸುತ್ತಿಲ್ಲ"
  ],
  "1 the number does not exist": [
    "The number you have dialled does not exist. Please check the number.",
    "the number you have dialed doesn't exist",
    "The number you have dialed is not in service.",
    "This is not a valid number. Please check the number you have dialed.",
    "You have dialled an incorrect number.",
    "Please check the number you have dialled.",
    "We're sorry. Your call cannot be completed as dialed.",
    "आपके द्वारा डायल किया गया नंबर मौजूद नहीं है",
    "यह नंबर अमान्य है। कृपया नंबर जांच लें।",
    "डायल किया गया नंबर ग़लत है",
    "aapke dwara dial kiya gaya number maujud nahin hai",
    "kripya number ki jaanch karen",
    "आपण डायल केलेला क्रमांक अस्तित्वात नाही",
    "আপনার ডায়াল করা নম্বরটির কোনো অস্তিত্ব নেই",
    "તમે ડાયલ કરેલો નંબર અસ્તિત્વમાં નથી",
    "நீங்கள் டயல் செய்த எண் உபயோகத்தில் இல்லை",
    "మీరు డయల్ చేసిన నంబర్ మనుగడలో లేదు",
    "ನೀವು ಡಯಲ್ ಮಾಡಿದ ಸಂಖ್ಯೆ ಅಸ್ತಿತ್ವದಲ್ಲಿಲ್ಲ",
    "നിങ്ങൾ ഡയൽ ചെയ്ത നമ്പർ നിലവിലില്ല"
  ],
  "34 all lines are busy": [
    "All lines in this route are busy. Please dial after some time.",
    "all the lines on this route are currently busy please try again",
    "The network is busy. Please try again later.",
    "इस रूट की सभी लाइनें व्यस्त हैं, कृपया थोड़ी देर बाद डायल करें।",
    "is route ki sabhi line abhi vyast hain"
  ],
  "21 calls are barred": [
    "Incoming calls to this number are barred.",
    "The incoming call facility is not available on this number.",
    "Incoming calls are not allowed on this number",
    "इस नंबर पर इनकमिंग कॉल की सुविधा उपलब्ध नहीं है"
  ],
  "27 out of service": [
    "The number you have dialled is temporarily out of service."
  ]
}

/** Words before an answer that tell nothing: of people, of songs, of waiting, and of other recordings. */
const others: ReadonlyArray<string> = [
  "",
  "...",
  "Hello? Who is this?",
  "Please wait while your call is being connected.",
  "The person you are calling has been notified. Please stay on the line.",
  "कृपया प्रतीक्षा करें, आपकी कॉल कनेक्ट की जा रही है",
  "To copy this tune, press star.",
  "इस कॉलर ट्यून को कॉपी करने के लिए स्टार दबाएं",
  "We are busy making your day better. Welcome to Acme.",
  "Welcome to Acme Bank. For accounts, press one.",
  "हम तुम एक कमरे में बंद हों और चाबी खो जाए",
  "I wanna dance with somebody, with somebody who loves me",
  "You are my number one",
  "Your wallet balance is low. Please recharge.",
  "Check the weather before you go.",
  "Your call has been disconnected.",
  "Your account is not valid. Please contact support.",
  "Please check the number or try again later.",
  "कृपया नंबर जांच लें या थोड़ी देर बाद प्रयास करें",
  "The busy bee has no time for sorrow."
]

const read = (words: string): string | null => {
  const found = readAnnouncement(words)
  return found === null ? null : `${found.cause} ${found.name}`
}

describe("an announcement", () => {
  for (const [meaning, wordings] of Object.entries(announcements)) {
    it(`tells its cause in each wording and language: ${meaning}`, () => {
      for (const words of wordings) assert.strictEqual(read(words), meaning, words)
    })
  }

  it("is not made of words that tell no cause", () => {
    for (const words of others) assert.isNull(read(words), words)
  })

  it("may be the first or the last of several sentences, in any case and with any punctuation", () => {
    assert.strictEqual(read("Welcome to Airtel! THE NUMBER, YOU ARE CALLING: IS SWITCHED-OFF..."), "20 switched off")
    assert.strictEqual(
      read("कृपया प्रतीक्षा करें. Thank you for calling. The number you are calling is busy"),
      "17 busy"
    )
  })

  it("that is played in two languages, or again from its middle, tells one cause", () => {
    const twice = "switched off. Please try again. आप जिस नंबर पर कॉल कर रहे हैं वह स्विच ऑफ है। The number you are"
    assert.strictEqual(read(twice), "20 switched off")
  })

  it("whose parts belong to different sentences far from each other tells nothing", () => {
    const far = `All lines are open to you today, and our people are glad to help. ${
      "We thank you for your patience. ".repeat(3)
    } Are you busy?`
    assert.isNull(read(far))
  })

  it("of any length is read in linear time", () => {
    assert.isNull(read("all lines ".repeat(20_000)))
  })
})
