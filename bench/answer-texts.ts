import type { AnsweredBy } from "@trunkline/kernel"

/** Something that answers a call with words. */
export interface Greeting {
  readonly by: Extract<AnsweredBy, "person" | "machine" | "screening" | "ivr">
  readonly language: "en" | "hi"
  /** True for those that no rule was written or changed for. */
  readonly isHeldOut: boolean
  readonly text: string
}

const listOf = (
  by: Greeting["by"],
  language: Greeting["language"],
  { heldOut = [], tuned }: { readonly tuned: ReadonlyArray<string>; readonly heldOut?: ReadonlyArray<string> }
): ReadonlyArray<Greeting> => [
  ...tuned.map((text) => ({ by, language, isHeldOut: false, text })),
  ...heldOut.map((text) => ({ by, language, isHeldOut: true, text }))
]

/** Greetings in English, Hindi and Hinglish, which the Hindi voice reads in its own letters. */
export const greetings: ReadonlyArray<Greeting> = [
  ...listOf("person", "en", {
    tuned: [
      "Hello?",
      "Hello.",
      "Yes?",
      "Hi, good morning.",
      "Yes, speaking.",
      "Hello, who is this?",
      "Hello? Hello? Can you hear me?",
      "Yes, tell me.",
      "I'm busy now, please call me later.",
      "He is not available, call after some time.",
      "She is not at home right now. Who is calling?",
      "Hello, I am driving, I will call you back.",
      "Wrong number.",
      "Not interested, please don't call again.",
      "Good morning, Sharma clinic, how may I help you?",
      "Hello, this is Ramesh speaking, may I know who is calling?",
      "One second, hold on please.",
      "Yes, who is this speaking please, and what is it about?",
      "He's in a meeting at the moment, do you want to leave a message?",
      "Sorry, I can't talk now, I'm at the hospital."
    ],
    heldOut: [
      "Yeah, hi, what's up?",
      "Hello, yes, go ahead, I am listening.",
      "Father has gone to the market, he will be back in the evening.",
      "I told you people yesterday also, don't disturb me.",
      "Mr Gupta is not in office today, please try his other number.",
      "Thank you for calling Sunrise Dental, this is Maya, how can I help you today?",
      "Hello hello, who's there, your voice is breaking.",
      "Not now yaar, I am in the train, network is very bad.",
      "Yes ma'am, good afternoon, please tell.",
      "She's sleeping, can I take a message for her?"
    ]
  }),
  ...listOf("person", "hi", {
    tuned: [
      "हेलो?",
      "हाँ जी, बोलिए।",
      "हेलो, कौन बोल रहा है?",
      "नमस्ते, कहिए।",
      "अभी मैं बिज़ी हूँ, बाद में कॉल कीजिए।",
      "वो घर पर नहीं हैं, शाम को फ़ोन कीजिए।",
      "गलत नंबर है भाई।",
      "हेलो, मैं मीटिंग में हूँ, थोड़ी देर में कॉल करता हूँ।",
      "हाँ, मैं गाड़ी चला रहा हूँ, बताइए क्या काम है?",
      "जी, आप कौन और कहाँ से बोल रहे हैं?"
    ],
    heldOut: [
      "हाँ हेलो, कौन?",
      "अरे यार अभी टाइम नहीं है, बाद में बात करते हैं।",
      "पापा बाहर गए हैं, आप किसलिए फ़ोन कर रहे हैं?",
      "हेलो, आवाज़ नहीं आ रही है, ज़रा ज़ोर से बोलिए।",
      "मुझे कोई लोन नहीं चाहिए, दोबारा फ़ोन मत करना।",
      "मैडम अभी अवेलेबल नहीं हैं, लंच के बाद ट्राई कीजिए।"
    ]
  }),
  ...listOf("machine", "en", {
    tuned: [
      "The person you are calling is not available. Please leave a message after the tone.",
      "Your call has been forwarded to voicemail. The person you are trying to reach is not available. At the tone, please record your message.",
      "Hi, this is Priya. I can't come to the phone right now. Please leave a message and I will get back to you.",
      "Hello, you have reached the voicemail of Rahul Mehta. Please leave your name and number after the beep.",
      "You have reached 9 8 7 6 5 4. No one is available to take your call. Please leave a message after the tone.",
      "Hi, sorry I missed your call. Leave me a message.",
      "Hello. I am away from my phone right now. Please leave your name, number and a brief message.",
      "The subscriber you have dialled is not answering. Please leave a voice message after the beep.",
      "Hey, it's Tom. You know what to do after the beep.",
      "The Google subscriber you have called is not available. Please leave a message after the tone."
    ],
    heldOut: [
      "Good day, you've come through to Anita Rao. I am either on another call or out of the office. Kindly leave your details and I will ring you back.",
      "Welcome to the voice mailbox of the Kapoor family. We are travelling until Sunday. Speak after the signal.",
      "Hi there, Sam here, sorry I am not able to pick up at the moment. Drop me a text or leave a message.",
      "The number you are calling cannot take your call at the moment. Record your message now, and hang up when you are done.",
      "This is the answering service of Doctor Iyer. The practice is closed at present. Please speak after the tone.",
      "The mobile phone you have dialled is unavailable. You can leave a message after the beep, which will be sent to the owner as a text."
    ]
  }),
  ...listOf("machine", "hi", {
    tuned: [
      "जिस व्यक्ति को आप कॉल कर रहे हैं वह अभी उपलब्ध नहीं है। कृपया टोन के बाद अपना संदेश छोड़ें।",
      "आपके द्वारा डायल किया गया नंबर उत्तर नहीं दे रहा है। कृपया बीप के बाद संदेश रिकॉर्ड करें।",
      "नमस्ते, मैं प्रिया। मैं अभी फोन नहीं उठा सकती। कृपया बीप के बाद मैसेज छोड़ दीजिए।",
      "जिस ग्राहक से आप संपर्क करना चाहते हैं वह फिलहाल उपलब्ध नहीं है। कृपया वॉइस मेल छोड़ें।",
      "हेलो, मैं अभी कॉल नहीं ले सकता, प्लीज़ बीप के बाद मैसेज छोड़ें।"
    ],
    heldOut: [
      "आपने राजेश वर्मा को कॉल किया है। मैं इस समय आपसे बात नहीं कर सकता। अपना नाम और नंबर बताकर संदेश छोड़ दें।",
      "यह वॉइस मेल सेवा है। संबंधित व्यक्ति इस समय फ़ोन पर नहीं आ सकते। सिग्नल के बाद अपनी बात कहें।",
      "आप जिस मोबाइल को फ़ोन कर रहे हैं उस पर अभी कोई जवाब नहीं मिल रहा है। संदेश रिकॉर्ड करने के लिए रुकें।"
    ]
  }),
  ...listOf("screening", "en", {
    tuned: [
      "Hi, the person you're calling is using a screening service from Google, and will get a copy of this conversation. Go ahead and say your name, and why you're calling.",
      "Hi, if you record your name and reason for calling, I'll see if this person is available.",
      "The person you are calling is using a screening service. Please say your name after the tone.",
      "Hi, I am the Truecaller assistant. Please state your name and the reason for your call."
    ],
    heldOut: [
      "Hello, this call is being screened. Please tell me who is calling and I will check if they can talk.",
      "Before I connect you, may I have your name and the purpose of your call?"
    ]
  }),
  ...listOf("screening", "hi", {
    tuned: ["जिन्हें आप कॉल कर रहे हैं वह कॉल स्क्रीनिंग का इस्तेमाल कर रहे हैं। कृपया अपना नाम और कॉल करने का कारण बताएं।"]
  }),
  ...listOf("ivr", "en", {
    tuned: [
      "Welcome to Acme Bank. For English, press one. For Hindi, press two.",
      "Thank you for calling Acme Insurance. Your call may be recorded for quality. For sales, press one.",
      "Your call is important to us. Please stay on the line, the next available agent will be with you."
    ],
    heldOut: [
      "You are through to City Hospital. For appointments, press one. For billing, press two.",
      "Welcome to Star Couriers. To track a parcel, say track. To speak to somebody, press zero."
    ]
  }),
  ...listOf("ivr", "hi", {
    tuned: ["एक्मे बैंक में आपका स्वागत है। हिंदी के लिए एक दबाएं। अंग्रेज़ी के लिए दो दबाएं।"],
    heldOut: ["नमस्कार, बिजली विभाग में आपका स्वागत है। शिकायत दर्ज करने के लिए एक दबाइए।"]
  })
]
