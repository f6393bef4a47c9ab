import { toWords } from "to-words/mr-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { dayFirst, type Language, partFirst } from "./Language.js"

const numbers: CardinalRules = {
  below100: below100Of((number) => toWords(number).replace(/ष्ठ$/u, "ष्ट"), {
    33: "तेहतीस",
    71: "एकाहत्तर",
    74: "चौऱ्याहत्तर",
    77: "सत्त्याहत्तर"
  }),
  one: "एक",
  hundreds: (count, words, next) => count === 1 && next !== "number" ? "शंभर" : `${words}शे`,
  thousands: followedBy("हजार"),
  lakhs: followedBy("लाख"),
  crores: followedBy("कोटी")
}

const { below100 } = numbers

/** Ordinals have a vowel before their ending, विसावा and पन्नासावा, but दहावा and, of the first ten, पाचवा. */
const joined = (words: string, ending: string): string => {
  if (!ending.startsWith("व") || /(?:^|\s)(?:पाच|सात|आठ)$/u.test(words)) return `${words}${ending}`
  if (/(?:^|\s)नऊ$/u.test(words)) return `${words.slice(0, -1)}व${ending}`
  const stem = words.replace(/ीस$/u, "िस")
  return /\p{L}$/u.test(stem) ? `${stem}ा${ending}` : `${stem}${ending}`
}

export const marathi: Language = {
  locale: "mr-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: ["व्या", "वा", "वी", "वे", "मध्ये", "पासून", "पर्यंत", "ला", "चा", "ची", "चे", "च्या"],
    detached: ["व्या", "वा", "वी", "वे"],
    irregular: {
      "1ला": "पहिला",
      "1ली": "पहिली",
      "1ले": "पहिले",
      "1ल्या": "पहिल्या",
      "2रा": "दुसरा",
      "2री": "दुसरी",
      "2रे": "दुसरे",
      "2ऱ्या": "दुसऱ्या",
      "3रा": "तिसरा",
      "3री": "तिसरी",
      "3रे": "तिसरे",
      "3ऱ्या": "तिसऱ्या",
      "4था": "चौथा",
      "4थी": "चौथी",
      "4थे": "चौथे",
      "4थ्या": "चौथ्या"
    },
    defaults: [["ला", "रा", "रा", "था"], "वा"],
    join: joined
  },
  signs: {
    minus: "उणे",
    plus: "प्लस",
    point: "दशांश",
    and: "आणि",
    number: "नंबर",
    over: "छेद",
    at: "ॲट",
    dot: "डॉट",
    slash: "स्लॅश",
    dash: "डॅश",
    underscore: "अंडरस्कोर"
  },
  range: (from, to) => `${from} ते ${to}`,
  fractions: {
    "1/2": "अर्धा",
    "1/3": "एक तृतीयांश",
    "2/3": "दोन तृतीयांश",
    "1/4": "एक चतुर्थांश",
    "3/4": "तीन चतुर्थांश"
  },
  scales: { thousand: "हजार", lakh: "लाख", crore: "कोटी", million: "मिलियन", billion: "बिलियन" },
  scaleForms: { "हजार": "thousand", "लाख": "lakh", "कोटी": "crore", "कोटि": "crore" },
  currencies: {
    rupees: { whole: ["रुपया", "रुपये"], part: ["पैसा", "पैसे"] },
    dollars: { whole: "डॉलर", part: "सेंट" },
    euros: { whole: "युरो", part: "सेंट" },
    pounds: { whole: "पाउंड", part: "पेन्स" }
  },
  rupeeForms: ["रु", "रू"],
  subunitJoiner: " ",
  units: {
    percent: ["टक्का", "टक्के"],
    kilogram: "किलोग्रॅम",
    gram: "ग्रॅम",
    milligram: "मिलिग्रॅम",
    kilometre: "किलोमीटर",
    metre: "मीटर",
    centimetre: "सेंटीमीटर",
    millimetre: "मिलिमीटर",
    litre: "लीटर",
    millilitre: "मिलिलीटर",
    celsius: "अंश सेल्सिअस",
    fahrenheit: "अंश फॅरनहाईट",
    degree: "अंश",
    kilometresPerHour: "किलोमीटर प्रति तास",
    squareFoot: "चौरस फूट",
    squareMetre: "चौरस मीटर",
    foot: "फूट",
    kilobyte: "किलोबाइट",
    megabyte: "मेगाबाइट",
    gigabyte: "गिगाबाइट",
    terabyte: "टेराबाइट",
    megabitsPerSecond: "मेगाबिट प्रति सेकंद",
    watt: "वॉट",
    kilowatt: "किलोवॉट",
    kilowattHour: "किलोवॉट तास",
    volt: "व्होल्ट",
    hour: "तास",
    minute: ["मिनिट", "मिनिटे"],
    second: "सेकंद"
  },
  date: dayFirst(numbers),
  clock: {
    parts: [[0, "रात्री"], [4, "पहाटे"], [6, "सकाळी"], [12, "दुपारी"], [16, "संध्याकाळी"], [20, "रात्री"]],
    say: partFirst((hour, minute) =>
      minute === 0 ? `${below100(hour)} वाजता` : `${below100(hour)} वाजून ${below100(minute)} मिनिटांनी`
    ),
    after: ["वाजता"]
  },
  codes: {
    secrets: ["ओटीपी", "पिन", "पिनकोड", "पासवर्ड"],
    names: ["कोड", "खाते", "खाता", "अकाउंट", "ऑर्डर", "आयडी", "तिकीट", "बुकिंग"],
    numbers: ["क्रमांक", "नंबर", "नं"]
  },
  abbreviations: { "डॉ.": "डॉक्टर", "Dr.": "डॉक्टर", "नं.": "नंबर", "क्र.": "क्रमांक" }
}
