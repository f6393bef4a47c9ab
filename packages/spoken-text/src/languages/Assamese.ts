import { toWords } from "to-words/as-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { dayFirst, firstOrdinals, type Language, partFirst, plainJoin } from "./Language.js"

const hundreds: Readonly<Record<number, string>> = { 1: "এশ", 2: "দুশ", 6: "ছশ" }

const numbers: CardinalRules = {
  below100: below100Of((number) => toWords(number).replace(/ছ$/u, "শ"), {
    26: "ছাব্বিশ",
    29: "ঊনত্ৰিশ",
    61: "একষষ্ঠি",
    65: "পঁয়ষষ্ঠি",
    75: "পঁয়সত্তৰ"
  }),
  one: "এক",
  hundreds: (count, words) => hundreds[count] ?? `${words}শ`,
  thousands: followedBy("হাজাৰ"),
  lakhs: followedBy("লাখ"),
  crores: followedBy("কোটি")
}

const { below100 } = numbers

/** The endings of the first ten ordinals. */
const first = ["ম", "য়", "য়", "ৰ্থ", "ম", "ষ্ঠ", "ম", "ম", "ম", "ম"]

export const assamese: Language = {
  locale: "as-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: ["তম", "টাৰ", "টা", "টোৰ", "টো", "খন", "জনে", "জন", "ৰ", "ত", "লৈ"],
    detached: ["তম"],
    irregular: firstOrdinals(
      first,
      ["প্ৰথম", "দ্বিতীয়", "তৃতীয়", "চতুৰ্থ", "পঞ্চম", "ষষ্ঠ", "সপ্তম", "অষ্টম", "নৱম", "দশম"]
    ),
    defaults: [first, "তম"],
    join: plainJoin
  },
  signs: {
    minus: "মাইনাছ",
    plus: "প্লাছ",
    point: "দশমিক",
    and: "আৰু",
    number: "নম্বৰ",
    over: "বাই",
    at: "এট",
    dot: "ডট",
    slash: "স্লেছ",
    dash: "ডেছ",
    underscore: "আণ্ডাৰস্কোৰ"
  },
  range: (from, to) => `${from}ৰ পৰা ${to}`,
  fractions: {
    "1/2": "আধা",
    "1/3": "এক তৃতীয়াংশ",
    "2/3": "দুই তৃতীয়াংশ",
    "1/4": "এক চতুৰ্থাংশ",
    "3/4": "তিনি চতুৰ্থাংশ"
  },
  scales: { thousand: "হাজাৰ", lakh: "লাখ", crore: "কোটি", million: "মিলিয়ন", billion: "বিলিয়ন" },
  scaleForms: { "হাজাৰ": "thousand", "লাখ": "lakh", "লক্ষ": "lakh", "কোটি": "crore" },
  currencies: {
    rupees: { whole: "টকা", part: "পইচা" },
    dollars: { whole: "ডলাৰ", part: "চেণ্ট" },
    euros: { whole: "ইউৰো", part: "চেণ্ট" },
    pounds: { whole: "পাউণ্ড", part: "পেন্স" }
  },
  rupeeForms: [],
  subunitJoiner: " ",
  units: {
    percent: "শতাংশ",
    kilogram: "কিলোগ্ৰাম",
    gram: "গ্ৰাম",
    milligram: "মিলিগ্ৰাম",
    kilometre: "কিলোমিটাৰ",
    metre: "মিটাৰ",
    centimetre: "ছেণ্টিমিটাৰ",
    millimetre: "মিলিমিটাৰ",
    litre: "লিটাৰ",
    millilitre: "মিলিলিটাৰ",
    celsius: "ডিগ্ৰী চেলচিয়াছ",
    fahrenheit: "ডিগ্ৰী ফাৰেনহাইট",
    degree: "ডিগ্ৰী",
    kilometresPerHour: "ঘণ্টাত {} কিলোমিটাৰ",
    squareFoot: "বৰ্গফুট",
    squareMetre: "বৰ্গমিটাৰ",
    foot: "ফুট",
    kilobyte: "কিলোবাইট",
    megabyte: "মেগাবাইট",
    gigabyte: "গিগাবাইট",
    terabyte: "টেৰাবাইট",
    megabitsPerSecond: "ছেকেণ্ডত {} মেগাবিট",
    watt: "ৱাট",
    kilowatt: "কিলোৱাট",
    kilowattHour: "কিলোৱাট ঘণ্টা",
    volt: "ভল্ট",
    hour: "ঘণ্টা",
    minute: "মিনিট",
    second: "ছেকেণ্ড"
  },
  date: dayFirst(numbers),
  clock: {
    parts: [[0, "নিশা"], [4, "পুৱা"], [12, "দুপৰীয়া"], [15, "আবেলি"], [18, "সন্ধিয়া"], [20, "নিশা"]],
    say: partFirst((hour, minute) =>
      minute === 0 ? `${below100(hour)} বজাত` : `${below100(hour)} বাজি ${below100(minute)} মিনিটত`
    ),
    after: ["বজাত", "বজা"]
  },
  codes: {
    secrets: ["অ'টিপি", "ওটিপি", "পিন", "পিনক'ড", "পাছৱৰ্ড"],
    names: ["ক'ড", "কোড", "একাউণ্ট", "অৰ্ডাৰ", "আইডি", "টিকট", "বুকিং"],
    numbers: ["নম্বৰ", "নং"]
  },
  abbreviations: { "ডাঃ": "ডাক্তৰ", "ড°": "ডক্টৰ", "Dr.": "ডক্টৰ", "নং.": "নম্বৰ" }
}
