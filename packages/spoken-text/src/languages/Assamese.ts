import { toWords } from "to-words/as-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { asking, dayFirst, firstOrdinals, type Language, listed, paired, partFirst, plainJoin } from "./Language.js"

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
    endings: [
      "টাত",
      "টালৈ",
      "টাক",
      "লৈকে",
      "জনৰ",
      "তে",
      "তম",
      "টাৰ",
      "টা",
      "টোৰ",
      "টো",
      "খন",
      "জনে",
      "জন",
      "ৰে",
      "ৰ",
      "ত",
      "লৈ"
    ],
    detachedEndings: ["তম"],
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
    section: "ধাৰা",
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
    taka: { whole: "টকা", part: "পইচা" },
    dollars: { whole: "ডলাৰ", part: "চেণ্ট" },
    euros: { whole: "ইউৰো", part: "চেণ্ট" },
    pounds: { whole: "পাউণ্ড", part: "পেন্স" }
  },
  rupeeWords: { "টকাৰ": "পইচাৰ", "টকাত": "পইচাত" },
  rupeeEndings: { "ৰ": "টকাৰ", "ত": "টকাত" },
  countNouns: listed("দিন, দিনৰ, দিনত, সপ্তাহ, মাহ, মাহৰ, বছৰ, মিনিটত, মিনিটৰ, ঘণ্টাৰ, ঘণ্টাত, জন, বাৰ, টা, ইউনিট"),
  rupeeForms: ["ৰু"],
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
  shortMonths: listed("জানু, ফেব্ৰু, , এপ্ৰি, , , জুলা, আগ, ছেপ্টে|ছেপ্তে, অক্টো, নৱে, ডিচে"),
  clock: {
    parts: [[0, "নিশা"], [4, "পুৱা"], [12, "দুপৰীয়া"], [15, "আবেলি"], [18, "সন্ধিয়া"], [20, "নিশা"]],
    say: partFirst((hour, minute) =>
      minute === 0 ? `${below100(hour)} বজাত` : `${below100(hour)} বাজি ${below100(minute)} মিনিটত`
    ),
    after: {
      "বজাত": {},
      "বজা": { "বজাত": "বজা", "মিনিটত": "মিনিট" },
      "বজাৰ": { "বজাত": "বজাৰ", "মিনিটত": "মিনিটৰ" },
      "বজালৈ": { "বজাত": "বজালৈ", "মিনিটত": "মিনিটলৈ" },
      "বজালৈকে": { "বজাত": "বজালৈকে", "মিনিটত": "মিনিটলৈকে" }
    },
    cases: { "ত": {}, "লৈ": { "বজাত": "বজালৈ", "মিনিটত": "মিনিটলৈ" } },
    behind: asking("পৰ্যন্ত, মানত", { "বজাত": "বজা", "মিনিটত": "মিনিট" }),
    to: ["ৰ পৰা", "পৰা"],
    first: { "বজাত": "বজা", "মিনিটত": "মিনিট" },
    dayparts: listed("ৰাতিপুৱা, বিয়লি, গধূলি, ৰাতি, দিনৰ, আবেলিৰ, পুৱাৰ")
  },
  codes: {
    secrets: listed("অ'টিপি, ওটিপি, অটিপি, পিন, পিনক'ড, পিন ক'ড, পাছৱৰ্ড, পাছৱাৰ্ড, লগইন, লগ ইন"),
    labels: ["ক'ড", "কোড", "আইডি", "টোকেন"],
    names: listed(
      "গাড়ী, বাহন, পঞ্জীয়ন, মিটাৰ, পাৰ্চেল, লোন, একাউণ্ট, কাৰ্ড, অৰ্ডাৰ, টিকট, বুকিং, চেক, পলিচি, ইনভইচ, " +
        "ট্ৰেইন, ফ্লাইট, ৰচিদ, অভিযোগ, আধাৰ, " +
        "হেল্পলাইন, নম্বৰ, নং, নং., বিমান"
    ),
    numbers: ["নম্বৰ", "নং", "সংখ্যা"],
    endings: listed("শেষৰ # সংখ্যা, শেষৰ # অংক, অন্তিম # অংক, শেষৰ # নম্বৰ"),
    links: ["হৈছে", "হ'ল"],
    owners: ["আপোনাৰ"],
    typingWords: listed("লিখক, টাইপ কৰ, প্ৰৱেশ কৰ"),
    closings: listed("ৰে শেষ, ৰে অন্ত, ত শেষ, ৰে সমাপ্ত, নম্বৰলৈ পঠি, লৈ পঠি, নম্বৰত ফোন, ত ফোন")
  },
  abbreviations: paired(
    "লে. কৰ্ণেল=লেফটেনেণ্ট কৰ্ণেল, ডাঃ=ডাক্তৰ, ডা.=ডাক্তৰ, ড°=ডক্টৰ, ড.=ডক্টৰ, নং.=নম্বৰ, অধ্যা.=অধ্যাপক, " +
      "প্ৰা.=প্ৰাইভেট, প্ৰাঃ=প্ৰাইভেট, " +
      "লি.=লিমিটেড, লিঃ=লিমিটেড, মো.=মহম্মদ, মে.=মেছাৰ্ছ, শ্ৰী.=শ্ৰী, কি.মি.=কিলোমিটাৰ, Dr.=ডক্টৰ, " +
      "Prof.=অধ্যাপক, Mr.=মিষ্টাৰ, M/s=মেছাৰ্ছ, Pvt.=প্ৰাইভেট, Ltd=লিমিটেড, মো. #=মবাইল, জি.=জিলা, ডক্ট.=ডক্টৰ"
  )
}
