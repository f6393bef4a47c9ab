import { toWords } from "to-words/bn-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { asking, dayFirst, firstOrdinals, type Language, listed, paired, partFirst } from "./Language.js"

const numbers: CardinalRules = {
  below100: below100Of((number) => toWords(number).replace(/^ঊন/u, "উন").replace(/শী$/u, "শি"), {
    20: "কুড়ি",
    35: "পঁয়ত্রিশ",
    45: "পঁয়তাল্লিশ",
    66: "ছেষট্টি",
    67: "সাতষট্টি",
    68: "আটষট্টি",
    78: "আটাত্তর"
  }),
  one: "এক",
  hundreds: (count, words) => count === 2 ? "দুশো" : `${words}শো`,
  thousands: followedBy("হাজার"),
  lakhs: followedBy("লাখ"),
  crores: followedBy("কোটি")
}

const { below100 } = numbers

const hours: Readonly<Record<number, string>> = { 2: "দুটো", 3: "তিনটে", 4: "চারটে" }

/** একুশে, and after a consonant ছাব্বিশের for `26এর`. */
const joinEnding = (words: string, ending: string): string => {
  if (ending === "শে" && words.endsWith("শ")) return `${words}ে`
  if (ending === "র") return `${words}${/[ইউ]$/u.test(words) ? "য়ের" : /[\p{L}়]$/u.test(words) ? "ের" : "র"}`
  return /[\p{L}়]$/u.test(words) ? `${words}${ending.replace(/^এ/u, "ে")}` : `${words}${ending}`
}

/** The endings of the first ten ordinals. */
const first = ["ম", "য়", "য়", "র্থ", "ম", "ষ্ঠ", "ম", "ম", "ম", "ম"]

export const bengali: Language = {
  locale: "bn-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: [
      "টেয়",
      "টোয়",
      "টের",
      "টোর",
      "টাতে",
      "টাকে",
      "র",
      "তম",
      "শে",
      "ই",
      "এর",
      "এ",
      "টির",
      "টিকে",
      "টিতে",
      "টি",
      "টার",
      "টায়",
      "টা",
      "খানা",
      "জনের",
      "জন",
      "তে",
      "কে"
    ],
    detachedEndings: ["তম", "শে", "ই"],
    irregular: {
      ...firstOrdinals(
        first,
        ["প্রথম", "দ্বিতীয়", "তৃতীয়", "চতুর্থ", "পঞ্চম", "ষষ্ঠ", "সপ্তম", "অষ্টম", "নবম", "দশম"]
      ),
      "1লা": "পয়লা",
      "2রা": "দোসরা",
      "3রা": "তেসরা",
      "4ঠা": "চৌঠা",
      "2টি": "দুটি",
      "2টো": "দুটো",
      "2টা": "দুটো",
      "3টা": "তিনটে",
      "4টা": "চারটে",
      "3টার": "তিনটের",
      "4টার": "চারটের",
      "2টায়": "দুটোয়",
      "2টার": "দুটোর",
      "3টায়": "তিনটেয়",
      "4টায়": "চারটেয়",
      "3টে": "তিনটে",
      "4টে": "চারটে"
    },
    defaults: [first, "তম"],
    join: joinEnding
  },
  signs: {
    minus: "মাইনাস",
    plus: "প্লাস",
    point: "দশমিক",
    and: "এবং",
    number: "নম্বর",
    section: "ধারা",
    over: "বাই",
    at: "অ্যাট",
    dot: "ডট",
    slash: "স্ল্যাশ",
    dash: "ড্যাশ",
    underscore: "আন্ডারস্কোর"
  },
  range: (from, to) => `${from} থেকে ${to}`,
  fractions: {
    "1/2": "অর্ধেক",
    "1/3": "এক তৃতীয়াংশ",
    "2/3": "দুই তৃতীয়াংশ",
    "1/4": "এক চতুর্থাংশ",
    "3/4": "তিন চতুর্থাংশ"
  },
  scales: { thousand: "হাজার", lakh: "লাখ", crore: "কোটি", million: "মিলিয়ন", billion: "বিলিয়ন" },
  scaleForms: { "হাজার": "thousand", "লাখ": "lakh", "লক্ষ": "lakh", "কোটি": "crore" },
  currencies: {
    rupees: { whole: "টাকা", part: "পয়সা" },
    taka: { whole: "টাকা", part: "পয়সা" },
    dollars: { whole: "ডলার", part: "সেন্ট" },
    euros: { whole: "ইউরো", part: "সেন্ট" },
    pounds: { whole: "পাউন্ড", part: "পেন্স" }
  },
  rupeeWords: { "টাকার": "পয়সার", "টাকায়": "পয়সায়", "টাকাটা": "পয়সাটা", "রুপি": "পয়সা" },
  rupeeEndings: { "র": "টাকার", "এর": "টাকার", "এ": "টাকায়", "য়": "টাকায়", " এর": "টাকার" },
  countNouns: listed(
    "দিন, দিনের, দিনে, সপ্তাহ, মাস, মাসে, মাসের, বছর, মিনিটে, মিনিটের, ঘণ্টার, ঘণ্টায়, জন, বার, টি, টা, " + "ইউনিট, পয়েন্ট"
  ),
  rupeeForms: ["রু"],
  subunitJoiner: " ",
  units: {
    percent: "শতাংশ",
    kilogram: "কিলোগ্রাম",
    gram: "গ্রাম",
    milligram: "মিলিগ্রাম",
    kilometre: "কিলোমিটার",
    metre: "মিটার",
    centimetre: "সেন্টিমিটার",
    millimetre: "মিলিমিটার",
    litre: "লিটার",
    millilitre: "মিলিলিটার",
    celsius: "ডিগ্রি সেলসিয়াস",
    fahrenheit: "ডিগ্রি ফারেনহাইট",
    degree: "ডিগ্রি",
    kilometresPerHour: "কিলোমিটার প্রতি ঘণ্টা",
    squareFoot: "বর্গফুট",
    squareMetre: "বর্গমিটার",
    foot: "ফুট",
    kilobyte: "কিলোবাইট",
    megabyte: "মেগাবাইট",
    gigabyte: "গিগাবাইট",
    terabyte: "টেরাবাইট",
    megabitsPerSecond: "মেগাবিট প্রতি সেকেন্ড",
    watt: "ওয়াট",
    kilowatt: "কিলোওয়াট",
    kilowattHour: "কিলোওয়াট ঘণ্টা",
    volt: "ভোল্ট",
    hour: "ঘণ্টা",
    minute: "মিনিট",
    second: "সেকেন্ড"
  },
  date: dayFirst(numbers),
  shortMonths: listed("জানু, ফেব্রু|ফেব, , এপ্রি, , , জুলা, আগ, সেপ্টে|সেপ, অক্টো, নভে, ডিসে"),
  clock: {
    parts: [[0, "রাত"], [4, "ভোর"], [6, "সকাল"], [12, "দুপুর"], [16, "বিকেল"], [18, "সন্ধ্যা"], [20, "রাত"]],
    say: partFirst((hour, minute) => {
      const hourWords = hours[hour] ?? `${below100(hour)}টা`
      return minute === 0 ? hourWords : `${hourWords} ${below100(minute)} মিনিট`
    }),
    after: {
      "টায়": { "টা": "টায়", "টো": "টোয়", "টে": "টেয়", "মিনিট": "মিনিটে" },
      "টা": {},
      "টো": {},
      "টে": {},
      "মিনিটে": { "টা": "টায়", "মিনিট": "মিনিটে" },
      "মিনিট": {},
      "টার": { "টা": "টার", "টো": "টোর", "টে": "টের", "মিনিট": "মিনিটের" }
    },
    cases: { "এ": { "টা": "টায়", "মিনিট": "মিনিটে" }, "এর": { "টা": "টার", "মিনিট": "মিনিটের" } },
    behind: asking("পর্যন্ত, এর মধ্যে, এর আগে, এর পরে, নাগাদ", {}),
    to: ["থেকে", "হতে"],
    first: {},
    dayparts: listed("বেলা, দুপুরে, সকালে, বিকেলে, বিকাল, বিকালে, সন্ধ্যায়, সন্ধে, সন্ধেয়, রাতে, ভোরে")
  },
  codes: {
    secrets: listed("ওটিপি, পিন, পিনকোড, পিন কোড, পাসওয়ার্ড, সিভিভি, পিএনআর, লগইন, লগ ইন"),
    labels: ["কোড", "আইডি", "টোকেন", "রেফারেন্স"],
    names: listed(
      "গাড়ি, গাড়ির, যানবাহন, রেজিস্ট্রেশন, মিটার, পার্সেল, বিল নম্বর, লোন, অ্যাকাউন্ট, একাউন্ট, কার্ড, " +
        "অর্ডার, টিকিট, বুকিং, চেক, পলিসি, ইনভয়েস, চালান, ট্রেন, ফ্লাইট, " +
        "রসিদ, অভিযোগ, আধার, হেল্পলাইন, নম্বর, নাম্বার, নং, নং., বিমান"
    ),
    numbers: ["নম্বর", "নাম্বার", "নং"],
    endings: listed("শেষ # সংখ্যা, শেষ # অঙ্ক, শেষ # ডিজিট, শেষে"),
    links: ["হল", "হলো", "হচ্ছে"],
    owners: ["আপনার", "হল আপনার", "হলো আপনার"],
    typingWords: listed("লিখুন, টাইপ কর, এন্টার কর, প্রবেশ কর"),
    closings: listed(
      "দিয়ে শেষ, এ শেষ, তে শেষ, শেষ হওয়া, নম্বরে শেষ, নম্বরে পাঠা, এ পাঠা, তে পাঠা, নম্বরে কল, " +
        "নম্বরে এসএমএস, এ এসএমএস, এ কল, নম্বরে ফোন"
    )
  },
  abbreviations: paired(
    "লে. কর্নেল=লেফটেন্যান্ট কর্নেল, পিএইচ.ডি.=পিএইচডি, ডা.=ডাক্তার, ডাঃ=ডাক্তার, ড.=ডক্টর, ডঃ=ডক্টর, " +
      "নং.=নম্বর, অধ্যা.=অধ্যাপক, প্রো.=প্রফেসর, প্রা.=প্রাইভেট, " +
      "লি.=লিমিটেড, লিঃ=লিমিটেড, প্রাঃ=প্রাইভেট, কোং=কোম্পানি, মোঃ=মোহাম্মদ, মো.=মোহাম্মদ, মে.=মেসার্স, " +
      "ইঞ্জি.=ইঞ্জিনিয়ার, অ্যাড.=অ্যাডভোকেট, তাং=তারিখ, ফো.=ফোন, কি.মি.=কিলোমিটার, Dr.=ডক্টর, Prof.=প্রফেসর, " +
      "Mr.=মিস্টার, M/s=মেসার্স, Pvt.=প্রাইভেট, Ltd=লিমিটেড, রেজি.=রেজিস্টার্ড, মো. #=মোবাইল, মোবা.=মোবাইল, " +
      "পো.=পোস্ট, ডাক্তার.=ডাক্তার"
  )
}
