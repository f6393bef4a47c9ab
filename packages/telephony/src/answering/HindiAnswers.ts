import type { GreetingCue } from "./GreetingCue.js"

/** Cues of people and offices in Hindi. */
export const hindiAnswers: ReadonlyArray<GreetingCue> = [
  { meaning: "office", phrases: ["स्वागत है", "swagat hai", "धन्यवाद", "dhanyavaad", "आपका स्वागत"] },
  {
    meaning: "person",
    phrases: [
      "(कौन|क्या|क्यों|कब|कहां|कैसे|किस|किसको|किससे|किसे|किसका|किसने|कितने|कितना|किधर|कौनसे) ",
      "किसलिए",
      "बोल(िए|िये|ो|ना|ें|ता|ती) ",
      "बोल (रहा|रही|रहे|दो|दीजिए)",
      "(कहिए|कहिये|कहो|बताइए|बताइये|बताओ|सुनिए|सुनो|रुकिए|रुको|ठहरिए|छोड़ो|देखिए|देखो|दीजिए|आइए)",
      "(बिज़ी|बिजी|व्यस्त हूं|मीटिंग|गाड़ी|ड्राइव|ट्रेन|क्लास|ऑफिस में|अस्पताल|हॉस्पिटल|मार्केट|बाजार|दुकान|किचन|रास्ते|बाइक)",
      "मैं…(में|पर|पे) (हूं|हूँ|ही हूं|था|थी)",
      "मैं…(रहा|रही) (हूं|था|थी)",
      "(बाद में|थोड़ी देर|शाम को|सुबह|रात को|परसों|घंटे|मिनट|अभी टाइम|टाइम नहीं|टाइम है)",
      "(बाहर गए|बाहर गये|बाहर हैं|बाहर हूं|बाहर गई|बाहर है|सो रह|नहा रह|खाना खा|खा रह|गए हैं|गई हैं|गये हैं|गया है|गए हुए|चले गए|निकल गए)",
      "(कल|वो|वे|उनका|उनकी|उनको|उनसे|उन्हें|उसका|उसको|उससे|इनका) ",
      "^(वह|हां|जी|अरे|नहीं|ना|अच्छा|ठीक|ओके|ओ|अबे|सुन|देख|चलो|यस|नो|सॉरी|बस|सर|मैडम|साहब|डॉक्टर|बॉस) ",
      "(हांजी|हां|हाँ|जी|यार|भाई|भैया|भाईसाहब|बेटा|दीदी|अंकल|आंटी|सर|मैडम|साहब|जनाब|बहन) ",
      "(पापा|मम्मी|मां|माताजी|पिताजी|पति|पत्नी|बेटी|दादी|दादा|बच्चे|भाभी|चाचा|मामा) ",
      "(मुझे|मुझको|मेरे|मेरा|मेरी|हमें|हमको|मैंने|हमने|मुझसे) ",
      "(गलत|रॉन्ग|रांग|राँग) (नंबर|जगह)",
      "(सुनाई|आवाज|नेटवर्क|कट रह|कट गई|कट गया|जोर से|धीरे)",
      "मत (करो|करना|कीजिए|करिए|कर)",
      "(नहीं चाहिए|चाहिए|जरूरत|इंटरेस्ट|पेमेंट|लोन|पॉलिसी|डिलीवरी|पार्सल|पैसे|ठीक है|वॉट्सऐप|व्हाट्सएप)",
      "(कर|भर|दे|बता|भेज|ले) (दिया|दी|दिये|दूंगा|दूंगी|दो|देना|चुका|चुकी)",
      "आप (कौन|किस|क्या|कहां|हैं|फिर|लोग|बार)",
      "(kaun|kya|kyu|kyun|kyon|kab|kahan|kaise|kis|kisko|kisse|kiska|kisne|kitne|kidhar) ",
      "(boliye|bolo|boliyega|kahiye|kaho|bataiye|batao|suniye|suno|ruko|rukiye|dekhiye|dekho) ",
      "bol (raha|rahi|rahe|do)",
      "(busy|meeting|class|office|train) (hoon|hun|hu|mein|me) ",
      "main…(mein|me|par|pe) (hoon|hun|hu|hoo) ",
      "main…(raha|rahi) (hoon|hun|hu|tha|thi)",
      "(abhi busy|gaadi|drive kar|raste|market|dukaan)",
      "(baad mein|baad me|thodi der|sham ko|shaam ko|subah|kal|ghante|minute|time nahi|time nahin) ",
      "(woh|wo|unka|unki|unko|unse) ",
      "(haan|haanji|han ji|ji|yaar|bhai|bhaiya|beta|didi) ",
      "(papa|mummy|mumma|maa|pitaji) ",
      "(mujhe|mere|mera|meri|hame|humein|maine|humne) ",
      "(galat|wrong) number",
      "(sunai|awaaz|awaz|aawaz|awaj|network)",
      "mat (karo|karna|kijiye|kariye)",
      "(nahi|nahin) chahiye",
      "^(are|arre|nahi|nahin|accha|acha|theek|thik|haa|ha) ",
      "(theek|thik) hai",
      "kisliye",
      "kya kaam"
    ]
  }
]
