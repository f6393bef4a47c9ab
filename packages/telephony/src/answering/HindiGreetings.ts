import type { GreetingCue } from "./GreetingCue.js"

/** Cues of services and machines in Hindi. */
export const hindiGreetings: ReadonlyArray<GreetingCue> = [
  {
    meaning: "screening",
    phrases: [
      "(स्क्रीनिंग|असिस्टेंट|असिस्टंट|सहायक)",
      "अपना नाम (बताएं|बोलें|और कॉल|और कारण|और वजह)",
      "कृपया अपना नाम (बता|बोल)",
      "(कॉल|फोन) (करने |)(का|की) (कारण|वजह|मकसद)",
      "(screening|call assistant|virtual assistant)",
      "apna naam (bataen|batayen|bolen|aur call|aur karan|aur wajah)",
      "kripya apna naam (bata|bol)",
      "call (karne |)(ka karan|ki wajah)"
    ]
  },
  {
    meaning: "ivr",
    phrases: [
      "(दबाएं|दबाइए|दबाये)",
      "के लिए (एक|दो|तीन|शून्य|1|2) ",
      "(भाषा|विकल्प) (चुन|का चयन)",
      "कॉल रिकॉर्ड की",
      "(आपका|आपकी) कॉल हमारे लिए",
      "(लाइन|लाइन पर) बने रहें",
      "(dabaye|dabaiye|dabayen|dabaen)",
      "ke liye (ek|do|1|2) ",
      "(bhasha|vikalp) chun",
      "hamare liye mahatvapurn",
      "line par bane"
    ]
  },
  {
    meaning: "machine",
    phrases: [
      "(संदेश|अपना मैसेज|अपना संदेश)",
      "मैसेज (छोड़|रिकॉर्ड|दे दें|दे दीजिए)",
      "(बीप|टोन|ध्वनि|सिग्नल) (के बाद|की आवाज|के पश्चात|का इंतजार|सुनने)",
      "(वॉइस|वॉयस|व्हाइस) (मेल|मैसेज)",
      "(वॉइसमेल|वॉयसमेल)",
      "जिस (ग्राहक|उपभोक्ता|सब्सक्राइबर)",
      "जिस (व्यक्ति|नंबर|मोबाइल|एयरटेल|जियो)…(उपलब्ध नहीं|उत्तर नहीं|जवाब नहीं|व्यस्त|बंद|स्विच|पहुंच|संपर्क)",
      "(द्वारा डायल|डायल किया गया|डायल किए गए)",
      "(फोन|कॉल) (नहीं उठा|का जवाब नहीं दे|रिसीव नहीं कर)",
      "(फोन|मोबाइल) (के पास नहीं|पर नहीं|से दूर)",
      "(उठा|ले|रिसीव कर) नहीं (पा|सक)",
      "कॉल (नहीं ले|पर भेजा|फॉरवर्ड|अग्रेषित)",
      "अपना नाम और (नंबर|फोन|मोबाइल|संदेश)",
      "(पुनः|पुन|बाद में|थोड़ी देर बाद|कुछ देर बाद|कुछ समय बाद) (प्रयास|कोशिश) क",
      "(सेवा में नहीं|कवरेज|पहुंच से बाहर|स्विच ऑफ|स्विच्ड ऑफ)",
      "(sandesh|apna message) ",
      "message (chhod|chod|record|de den|de dijiye)",
      "(beep|tone) ke (baad|bad) ",
      "(voice mail|voicemail)",
      "jis (grahak|upbhokta|customer)",
      "jis (vyakti|number|mobile)…(uplabdh nahi|uttar nahi|jawab nahi|vyast|switch|band hai)",
      "(dwara dial|dial kiya gaya)",
      "(phone|call) ((nahi|nahin) utha|receive nahi)",
      "call (nahi|nahin) le ",
      "phone ke paas nah",
      "apna naam aur number"
    ]
  },
  {
    meaning: "recording",
    phrases: [
      "(जिस व्यक्ति|जिन्हें आप|जिनको आप|जिससे आप|आप जिस|आप जिन)",
      "जिस (नंबर|मोबाइल|एयरटेल|जियो) (को|पर|से) आप",
      "जिस नंबर (|पर |को )(डायल|कॉल)",
      "संपर्क करना",
      "आपके द्वारा",
      "(मिलाया|लगाया) गया",
      "^(सब्सक्राइबर|ग्राहक|उपभोक्ता|यह नंबर|यह मोबाइल|यह सेवा|यह सुविधा|आपने जिस)",
      "(खेद है|माफ करें इस|प्रिय ग्राहक)",
      "jis vyakti",
      "(jinhe|jinko|jisse) aap",
      "aap (jis|jin)",
      "jis number (ko|par|se) aap"
    ]
  },
  {
    meaning: "opening",
    phrases: [
      "^आपने…को ",
      "^(आपका|आपकी) कॉल",
      "मैं (अभी |इस वक्त |)(फोन|कॉल|मोबाइल) ",
      "(नमस्ते|नमस्कार|हाय) (मैं|ये|यह) ",
      "^(नमस्ते|नमस्कार) (हम|आपने)",
      "^(कृपया|क्षमा|माफ कीजिए|माफ करें)",
      "क्षमा करें",
      "(मैं|हम) (इस समय|इस वक्त|फिलहाल|वर्तमान)",
      "(इस समय|फिलहाल|वर्तमान में)",
      "हम अभी",
      "(हमारा|हमारे) (कार्यालय|ऑफिस|दफ्तर)",
      "मैं (अभी |)(आपका|आपकी|आपके) (कॉल|फोन)",
      "(कोई|कोई भी) (उपलब्ध|मौजूद) नहीं",
      "बात नहीं कर (सक|पा)",
      "(कॉल|फोन) नहीं",
      "(यह|ये) (नंबर|मोबाइल|कॉल|फोन) ",
      "(कॉल|फोन) बैक कर",
      "^aapne…ko ",
      "^(aapka|aapki) call",
      "main (abhi |)(phone|call|mobile) ",
      "(namaste|namaskar) main ",
      "^(kripya|kshama)",
      "(main|hum) (is samay|filhaal)",
      "baat (nahi|nahin) kar (sak|pa)",
      "(call|phone) (nahi|nahin)"
    ]
  }
]
