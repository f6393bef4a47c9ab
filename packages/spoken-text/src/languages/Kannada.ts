import { toWords } from "to-words/kn-IN"
import { below100Of, type CardinalRules, cardinalWords, followedBy } from "./Cardinals.js"
import { type Language, partFirst } from "./Language.js"

const hundreds = [
  "",
  "ನೂರು",
  "ಇನ್ನೂರು",
  "ಮುನ್ನೂರು",
  "ನಾನೂರು",
  "ಐನೂರು",
  "ಆರುನೂರು",
  "ಏಳುನೂರು",
  "ಎಂಟುನೂರು",
  "ಒಂಬೈನೂರು"
]

const numbers: CardinalRules = {
  below100: below100Of((number) => toWords(number).replace("ಅರುವ", "ಅರವ").replace("ಎಂಭ", "ಎಂಬ"), { 0: "ಸೊನ್ನೆ" }),
  one: "ಒಂದು",
  hundreds: (count, _words, next) => (hundreds[count] ?? "").replace(/ು$/u, next === "number" ? "" : "ು"),
  thousands: (count, words, next) => `${count === 1 ? "" : `${words} `}ಸಾವಿರ${next === "number" ? "ದ" : ""}`,
  lakhs: (_count, words, next) => `${words} ಲಕ್ಷ${next === "number" ? "ದ" : ""}`,
  crores: followedBy("ಕೋಟಿ")
}

const { below100 } = numbers

/** ಐದನೇ, ಐದರಲ್ಲಿ; ಸಾವಿರದಲ್ಲಿ, ಸಾವಿರಕ್ಕೆ; ಕೋಟಿಯನೇ. */
const joined = (words: string, ending: string): string => {
  if (words.endsWith("ು")) return `${words.slice(0, -1)}${ending}`
  if (/[ಿೆ]$/u.test(words)) return `${words}ಯ${ending.replace(/^ರ/u, "")}`
  return `${words}${ending.replace(/^ರ/u, "ದ")}`
}

export const kannada: Language = {
  locale: "kn-IN",
  numbers,
  year: (year) => cardinalWords(numbers, year),
  ordinals: {
    endings: ["ನೇ", "ನೆಯ", "ನೆ", "ರಲ್ಲಿ", "ರಂದು", "ರಿಂದ", "ರ", "ಕ್ಕೆ"],
    detached: ["ನೇ", "ನೆಯ", "ನೆ"],
    irregular: {},
    defaults: [[], "ನೇ"],
    join: joined
  },
  signs: {
    minus: "ಮೈನಸ್",
    plus: "ಪ್ಲಸ್",
    point: "ಪಾಯಿಂಟ್",
    and: "ಮತ್ತು",
    number: "ನಂಬರ್",
    over: "ಬೈ",
    at: "ಅಟ್",
    dot: "ಡಾಟ್",
    slash: "ಸ್ಲ್ಯಾಶ್",
    dash: "ಡ್ಯಾಶ್",
    underscore: "ಅಂಡರ್‌ಸ್ಕೋರ್"
  },
  range: (from, to) => `${joined(from, "ರಿಂದ")} ${to}`,
  fractions: {
    "1/2": "ಅರ್ಧ",
    "1/3": "ಮೂರನೇ ಒಂದು",
    "2/3": "ಮೂರನೇ ಎರಡು",
    "1/4": "ಕಾಲು",
    "3/4": "ಮುಕ್ಕಾಲು"
  },
  scales: { thousand: "ಸಾವಿರ", lakh: "ಲಕ್ಷ", crore: "ಕೋಟಿ", million: "ಮಿಲಿಯನ್", billion: "ಬಿಲಿಯನ್" },
  scaleForms: { "ಸಾವಿರ": "thousand", "ಲಕ್ಷ": "lakh", "ಕೋಟಿ": "crore" },
  currencies: {
    rupees: { whole: "ರೂಪಾಯಿ", part: "ಪೈಸೆ" },
    dollars: { whole: "ಡಾಲರ್", part: "ಸೆಂಟ್" },
    euros: { whole: "ಯೂರೋ", part: "ಸೆಂಟ್" },
    pounds: { whole: "ಪೌಂಡ್", part: "ಪೆನ್ಸ್" }
  },
  rupeeForms: ["ರೂ", "ರು"],
  subunitJoiner: " ",
  units: {
    percent: "ಶೇಕಡಾ {}",
    kilogram: "ಕಿಲೋಗ್ರಾಂ",
    gram: "ಗ್ರಾಂ",
    milligram: "ಮಿಲಿಗ್ರಾಂ",
    kilometre: "ಕಿಲೋಮೀಟರ್",
    metre: "ಮೀಟರ್",
    centimetre: "ಸೆಂಟಿಮೀಟರ್",
    millimetre: "ಮಿಲಿಮೀಟರ್",
    litre: "ಲೀಟರ್",
    millilitre: "ಮಿಲಿಲೀಟರ್",
    celsius: "ಡಿಗ್ರಿ ಸೆಲ್ಸಿಯಸ್",
    fahrenheit: "ಡಿಗ್ರಿ ಫ್ಯಾರನ್‌ಹೀಟ್",
    degree: "ಡಿಗ್ರಿ",
    kilometresPerHour: "ಗಂಟೆಗೆ {} ಕಿಲೋಮೀಟರ್",
    squareFoot: "ಚದರ ಅಡಿ",
    squareMetre: "ಚದರ ಮೀಟರ್",
    foot: "ಅಡಿ",
    kilobyte: "ಕಿಲೋಬೈಟ್",
    megabyte: "ಮೆಗಾಬೈಟ್",
    gigabyte: "ಗಿಗಾಬೈಟ್",
    terabyte: "ಟೆರಾಬೈಟ್",
    megabitsPerSecond: "ಸೆಕೆಂಡಿಗೆ {} ಮೆಗಾಬಿಟ್",
    watt: "ವ್ಯಾಟ್",
    kilowatt: "ಕಿಲೋವ್ಯಾಟ್",
    kilowattHour: "ಕಿಲೋವ್ಯಾಟ್ ಗಂಟೆ",
    volt: "ವೋಲ್ಟ್",
    hour: "ಗಂಟೆ",
    minute: "ನಿಮಿಷ",
    second: "ಸೆಕೆಂಡ್"
  },
  // Without the comma, fifteen and nineteen hundred would be heard as one number.
  date: (day, month, year) => `${month} ${below100(day)}${year === undefined ? "" : `, ${year}`}`,
  clock: {
    parts: [[0, "ರಾತ್ರಿ"], [4, "ಬೆಳಿಗ್ಗೆ"], [12, "ಮಧ್ಯಾಹ್ನ"], [16, "ಸಂಜೆ"], [20, "ರಾತ್ರಿ"]],
    say: partFirst((hour, minute) =>
      minute === 0 ? `${below100(hour)} ಗಂಟೆ` : `${below100(hour)} ಗಂಟೆ ${below100(minute)} ನಿಮಿಷ`
    ),
    after: ["ಗಂಟೆಗೆ", "ಗಂಟೆ"]
  },
  codes: {
    secrets: ["ಒಟಿಪಿ", "ಓಟಿಪಿ", "ಪಿನ್", "ಪಿನ್‌ಕೋಡ್", "ಪಾಸ್‌ವರ್ಡ್"],
    names: ["ಕೋಡ್", "ಖಾತೆ", "ಅಕೌಂಟ್", "ಆರ್ಡರ್", "ಐಡಿ", "ಟಿಕೆಟ್", "ಬುಕಿಂಗ್"],
    numbers: ["ಸಂಖ್ಯೆ", "ನಂಬರ್"]
  },
  abbreviations: { "ಡಾ.": "ಡಾಕ್ಟರ್", "Dr.": "ಡಾಕ್ಟರ್", "ನಂ.": "ನಂಬರ್" }
}
