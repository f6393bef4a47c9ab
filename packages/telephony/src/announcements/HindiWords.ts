import type { Wording } from "./Wording.js"

/** Wordings in Hindi, in its own letters, in Latin ones, and in Arabic ones, which some transcribers write. */
export const hindi: ReadonlyArray<Wording> = [
  {
    meaning: "congestion",
    phrases: [
      "सभी लाइन…व्यस्त",
      "सारी लाइन…व्यस्त",
      "सभी लाइन…बिजी",
      "रूट की सभी",
      "नेटवर्क व्यस्त",
      "नेटवर्क बिजी",
      "sabhi line…vyast",
      "sabhi line…busy",
      "saari line…vyast",
      "network vyast",
      "تمام لائن…مصروف"
    ]
  },
  {
    meaning: "invalid",
    phrases: [
      "मौजूद नहीं",
      "अस्तित्व में नहीं",
      "अमान्य",
      "मान्य नहीं",
      "गलत नंबर",
      "नंबर…गलत है",
      "नम्बर…गलत है",
      "वैध नहीं",
      "उपयोग में नहीं",
      "इस्तेमाल में नहीं",
      "सेवा में नहीं",
      "maujud nahi",
      "maujood nahi",
      "astitva mein nahi",
      "astitv mein nahi",
      "astitva me nahi",
      "amanya",
      "amaanya",
      "galat number",
      "number…galat hai",
      "upyog mein nahi",
      "موجود نہیں",
      "غلط نمبر"
    ]
  },
  {
    meaning: "barred",
    phrases: [
      "इनकमिंग…उपलब्ध नहीं",
      "इनकमिंग…बंद",
      "इनकमिंग…सुविधा",
      "इनकमिंग…सेवा",
      "incoming…uplabdh nahi",
      "incoming…band hai",
      "incoming…suvidha"
    ]
  },
  {
    meaning: "switchedOff",
    phrases: [
      "स्विच ऑफ",
      "स्विच आफ",
      "स्विच्ड ऑफ",
      "स्विचड ऑफ",
      "स्विच्ड आफ",
      "स्वीच ऑफ",
      "नंबर…बंद है",
      "नम्बर…बंद है",
      "फोन…बंद है",
      "मोबाइल…बंद है",
      "बंद कर दिया",
      "बंद कर रखा",
      "switch of hai",
      "number…band hai",
      "phone…band hai",
      "mobile…band hai",
      "band kar diya",
      "سوئچ آف",
      "سوئچڈ آف",
      "نمبر…بند ہے"
    ]
  },
  {
    meaning: "unreachable",
    phrases: [
      "पहुंच से बाहर",
      "पहुंच के बाहर",
      "पहुंच क्षेत्र से बाहर",
      "क्षेत्र से बाहर",
      "कवरेज से बाहर",
      "कवरेज एरिया से बाहर",
      "नेटवर्क से बाहर",
      "सीमा से बाहर",
      "संपर्क नहीं हो",
      "सम्पर्क नहीं हो",
      "संपर्क नहीं किया जा",
      "नॉट रीचेबल",
      "नंबर…उपलब्ध नहीं",
      "pahunch se bahar",
      "pahuch se bahar",
      "pahunch se baahar",
      "pahunch ke bahar",
      "kshetra se bahar",
      "kshetra se baahar",
      "coverage se bahar",
      "area se bahar",
      "network se bahar",
      "sampark nahi ho",
      "پہنچ سے باہر",
      "رابطہ نہیں ہو"
    ]
  },
  {
    meaning: "busy",
    phrases: [
      "व्यस्त है",
      "व्यस्त चल",
      "व्यस्त हो",
      "बिजी है",
      "बिज़ी है",
      "दूसरी कॉल पर",
      "दूसरे कॉल पर",
      "अन्य कॉल पर",
      "किसी और कॉल पर",
      "अन्य व्यक्ति से बात",
      "किसी और से बात",
      "किसी अन्य से बात",
      "दूसरी लाइन पर",
      "vyast hai",
      "vyasth hai",
      "vyast ho",
      "busy hai",
      "dusri call par",
      "doosri call par",
      "dusre call par",
      "anya call par",
      "kisi aur call par",
      "kisi aur se baat",
      "مصروف ہے",
      "مصروف ہیں",
      "دوسری کال پر"
    ]
  },
  {
    meaning: "noAnswer",
    phrases: [
      "जवाब नहीं दे",
      "जवाब नहीं मिल",
      "जबाब नहीं दे",
      "उत्तर नहीं दे",
      "उत्तर नहीं मिल",
      "फोन नहीं उठा",
      "कॉल नहीं उठा",
      "jawab nahi de",
      "jawab nahin de",
      "javab nahi de",
      "jawaab nahi de",
      "uttar nahi de",
      "uttar nahin de",
      "phone nahi utha",
      "جواب نہیں دے"
    ]
  },
  {
    meaning: "checkNumber",
    phrases: [
      "नंबर जांच",
      "नंबर को जांच",
      "नंबर की जांच",
      "नंबर चेक कर",
      "नंबर को चेक",
      "number jaanch",
      "number ki jaanch",
      "number ki janch",
      "number check kar",
      "number ko check"
    ]
  },
  {
    meaning: "tryLater",
    phrases: [
      "देर बाद",
      "समय बाद",
      "समय के बाद",
      "बाद में",
      "फिर से",
      "दोबारा",
      "der baad",
      "der bad",
      "samay baad",
      "baad mein"
    ]
  }
]
