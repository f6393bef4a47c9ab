import { toWords } from "to-words/hi-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { dayFirst, type Language, partFirst, plainJoin } from "./Language.js"

const numbers: CardinalRules = {
  below100: below100Of(toWords, { 44: "चौवालीस", 51: "इक्यावन", 91: "इक्यानवे" }),
  one: "एक",
  hundreds: followedBy("सौ"),
  thousands: followedBy("हज़ार"),
  lakhs: followedBy("लाख"),
  crores: followedBy("करोड़")
}

const { below100 } = numbers

export const hindi: Language = {
  locale: "hi-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: ["वां", "वाँ", "वा", "वीं", "वी", "वें", "वे"],
    detached: ["वां", "वाँ", "वीं", "वें"],
    irregular: {
      "1ला": "पहला",
      "1ली": "पहली",
      "1ले": "पहले",
      "2रा": "दूसरा",
      "2री": "दूसरी",
      "2रे": "दूसरे",
      "3रा": "तीसरा",
      "3री": "तीसरी",
      "3रे": "तीसरे",
      "4था": "चौथा",
      "4थी": "चौथी",
      "4थे": "चौथे",
      "6ठा": "छठा",
      "6ठी": "छठी",
      "6ठे": "छठे",
      "6वां": "छठवां",
      "6वाँ": "छठवाँ",
      "6वीं": "छठवीं",
      "6वें": "छठवें"
    },
    defaults: [["ला", "रा", "रा", "था", "वां", "ठा"], "वां"],
    join: plainJoin
  },
  signs: {
    minus: "माइनस",
    plus: "प्लस",
    point: "दशमलव",
    and: "और",
    number: "नंबर",
    over: "बटा",
    at: "ऐट",
    dot: "डॉट",
    slash: "स्लैश",
    dash: "डैश",
    underscore: "अंडरस्कोर"
  },
  range: (from, to) => `${from} से ${to}`,
  fractions: { "1/2": "आधा", "1/3": "एक तिहाई", "2/3": "दो तिहाई", "1/4": "एक चौथाई", "3/4": "तीन चौथाई" },
  scales: { thousand: "हज़ार", lakh: "लाख", crore: "करोड़", million: "मिलियन", billion: "बिलियन" },
  scaleForms: { "हज़ार": "thousand", "हजार": "thousand", "लाख": "lakh", "करोड़": "crore", "करोड": "crore" },
  currencies: {
    rupees: { whole: ["रुपया", "रुपये"], part: ["पैसा", "पैसे"] },
    dollars: { whole: "डॉलर", part: "सेंट" },
    euros: { whole: "यूरो", part: "सेंट" },
    pounds: { whole: "पाउंड", part: "पेंस" }
  },
  rupeeForms: ["रु", "रू"],
  subunitJoiner: " ",
  units: {
    percent: "प्रतिशत",
    kilogram: "किलोग्राम",
    gram: "ग्राम",
    milligram: "मिलीग्राम",
    kilometre: "किलोमीटर",
    metre: "मीटर",
    centimetre: "सेंटीमीटर",
    millimetre: "मिलीमीटर",
    litre: "लीटर",
    millilitre: "मिलीलीटर",
    celsius: "डिग्री सेल्सियस",
    fahrenheit: "डिग्री फ़ारेनहाइट",
    degree: "डिग्री",
    kilometresPerHour: "किलोमीटर प्रति घंटा",
    squareFoot: "वर्ग फुट",
    squareMetre: "वर्ग मीटर",
    foot: "फुट",
    kilobyte: "किलोबाइट",
    megabyte: "मेगाबाइट",
    gigabyte: "गीगाबाइट",
    terabyte: "टेराबाइट",
    megabitsPerSecond: "मेगाबिट प्रति सेकंड",
    watt: "वाट",
    kilowatt: "किलोवाट",
    kilowattHour: ["किलोवाट घंटा", "किलोवाट घंटे"],
    volt: "वोल्ट",
    hour: ["घंटा", "घंटे"],
    minute: "मिनट",
    second: "सेकंड"
  },
  date: dayFirst(numbers),
  clock: {
    parts: [[0, "रात"], [4, "सुबह"], [12, "दोपहर"], [16, "शाम"], [20, "रात"]],
    say: partFirst((hour, minute) =>
      minute === 0
        ? `${below100(hour)} बजे`
        : `${below100(hour)} बजकर ${below100(minute)} मिनट`
    ),
    after: ["बजे"]
  },
  codes: {
    secrets: ["ओटीपी", "पिन", "पिनकोड", "पासवर्ड"],
    names: ["कोड", "खाता", "खाते", "अकाउंट", "ऑर्डर", "आईडी", "टिकट", "बुकिंग"],
    numbers: ["नंबर", "संख्या", "क्रमांक", "नं"]
  },
  abbreviations: { "डॉ.": "डॉक्टर", "Dr.": "डॉक्टर", "नं.": "नंबर" }
}
