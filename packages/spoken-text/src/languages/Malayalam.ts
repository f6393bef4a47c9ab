import { toWords } from "to-words/ml-IN"
import { below100Of, type CardinalRules, cardinalWords, type NumberContext } from "./Cardinals.js"
import { asking, type Language, listed, paired, partFirst } from "./Language.js"

const hundreds = [
  "",
  "നൂറ്",
  "ഇരുനൂറ്",
  "മുന്നൂറ്",
  "നാനൂറ്",
  "അഞ്ഞൂറ്",
  "അറുനൂറ്",
  "എഴുനൂറ്",
  "എണ്ണൂറ്",
  "തൊള്ളായിരം"
]

/** The form before more of the number: നൂറ്റി, ആയിരത്തി, ലക്ഷത്തി. */
const before = (next: NumberContext, word: string): string =>
  next === "number" ? word.replace(/റ്$/u, "റ്റി").replace(/ം$/u, "ത്തി") : word

/** Sandhi of numbers before ആയിരം. */
const thousandStems: ReadonlyArray<readonly [ending: RegExp, stem: string]> = [
  [/മൂന്ന്$/u, "മൂവ"],
  [/നഞ്ച്$/u, "നയ്യ"],
  [/അഞ്ച്$/u, "അയ്യ"],
  [/എട്ട്$/u, "എണ്ണ"],
  [/പത്ത്$/u, "പതിന"],
  [/പത്$/u, "പതിന"],
  [/്$/u, ""]
]

const thousands = (count: number, words: string): string => {
  if (count === 1) return "ആയിരം"
  const [ending, stem] = thousandStems.find(([ending]) => ending.test(words)) ?? [/$/u, " "]
  return `${words.replace(ending, stem)}ായിരം`
}

const numbers: CardinalRules = {
  below100: below100Of(toWords),
  one: "ഒരു",
  hundreds: (count, _words, next) => before(next, hundreds[count] ?? ""),
  thousands: (count, words, next) => before(next, thousands(count, words)),
  lakhs: (_count, words, next) => before(next, `${words} ലക്ഷം`),
  crores: (_count, words) => `${words} കോടി`
}

const { below100 } = numbers

/** Vowel with which a written ending starts after the words: അഞ്ചാം, പത്തിന്, ആറിൽ, ആയിരത്തിൽ. */
const joinEnding = (words: string, ending: string): string => {
  const vowel = ending.replace(/^ആ/u, "ാ").replace(/^ഓ/u, "ോ").replace(/^(?=[നൽല])/u, "ി")
  if (words.endsWith("ി")) return `${words}യ${vowel}`
  return `${words.replace(/്$/u, "").replace(/ം$/u, "ത്ത")}${vowel}`
}

export const malayalam: Language = {
  locale: "ml-IN",
  numbers,
  year: (year) => cardinalWords(numbers, year),
  ordinals: {
    endings: [
      "നകം",
      "നും",
      "നുള്ളിൽ",
      "ന്റെ",
      "ലേക്ക്",
      "ഓടെ",
      "ആണ്",
      "ാമത്തെ",
      "ാമത്",
      "ാം",
      "ആമത്തെ",
      "ആമത്",
      "ആം",
      "ന്",
      "നു",
      "ൽ",
      "ലെ"
    ],
    detachedEndings: ["ന്", "ആമത്തെ", "ആമത്", "ആം"],
    irregular: {},
    defaults: [[], "ാം"],
    join: joinEnding
  },
  signs: {
    minus: "മൈനസ്",
    plus: "പ്ലസ്",
    point: "പോയിന്റ്",
    and: "ആൻഡ്",
    number: "നമ്പർ",
    section: "വകുപ്പ്",
    over: "ബൈ",
    at: "അറ്റ്",
    dot: "ഡോട്ട്",
    slash: "സ്ലാഷ്",
    dash: "ഡാഷ്",
    underscore: "അണ്ടർസ്കോർ"
  },
  range: (from, to) => `${from} മുതൽ ${to}`,
  fractions: {
    "1/2": "അര",
    "1/3": "മൂന്നിൽ ഒന്ന്",
    "2/3": "മൂന്നിൽ രണ്ട്",
    "1/4": "കാൽ",
    "3/4": "മുക്കാൽ"
  },
  scales: { thousand: "ആയിരം", lakh: "ലക്ഷം", crore: "കോടി", million: "മില്യൺ", billion: "ബില്യൺ" },
  scaleForms: { "ആയിരം": "thousand", "ലക്ഷം": "lakh", "കോടി": "crore" },
  currencies: {
    rupees: { whole: "രൂപ", part: "പൈസ" },
    taka: { whole: "ടാക്ക", part: "പൈസ" },
    dollars: { whole: "ഡോളർ", part: "സെന്റ്" },
    euros: { whole: "യൂറോ", part: "സെന്റ്" },
    pounds: { whole: "പൗണ്ട്", part: "പെൻസ്" }
  },
  rupeeWords: { "രൂപയുടെ": "പൈസയുടെ", "രൂപയ്ക്ക്": "പൈസയ്ക്ക്", "രൂപയാണ്": "പൈസയാണ്", "രൂപയും": "പൈസയും", "രൂപയിൽ": "പൈസയിൽ" },
  rupeeEndings: { "ത്തിന്റെ": "രൂപയുടെ", "ത്തിന്": "രൂപയ്ക്ക്", "ന്": "രൂപയ്ക്ക്", "യുടെ": "രൂപയുടെ", "ന്റെ": "രൂപയുടെ", "ൽ": "രൂപയിൽ" },
  countNouns: listed(
    "ദിവസം, ദിവസത്തിനുള്ളിൽ, ദിവസത്തിനകം, ആഴ്ച, മാസം, വർഷം, മിനിറ്റിനുള്ളിൽ, മിനിറ്റിനകം, മണിക്കൂറിനുള്ളിൽ, " +
      "പേർ, പേർക്ക്, തവണ, യൂണിറ്റ്, പോയിന്റ്"
  ),
  rupeeForms: ["രൂ"],
  subunitJoiner: " ",
  units: {
    percent: "ശതമാനം",
    kilogram: "കിലോഗ്രാം",
    gram: "ഗ്രാം",
    milligram: "മില്ലിഗ്രാം",
    kilometre: "കിലോമീറ്റർ",
    metre: "മീറ്റർ",
    centimetre: "സെന്റീമീറ്റർ",
    millimetre: "മില്ലീമീറ്റർ",
    litre: "ലിറ്റർ",
    millilitre: "മില്ലിലിറ്റർ",
    celsius: "ഡിഗ്രി സെൽഷ്യസ്",
    fahrenheit: "ഡിഗ്രി ഫാരൻഹീറ്റ്",
    degree: "ഡിഗ്രി",
    kilometresPerHour: "മണിക്കൂറിൽ {} കിലോമീറ്റർ",
    squareFoot: "ചതുരശ്ര അടി",
    squareMetre: "ചതുരശ്ര മീറ്റർ",
    foot: "അടി",
    kilobyte: "കിലോബൈറ്റ്",
    megabyte: "മെഗാബൈറ്റ്",
    gigabyte: "ജിഗാബൈറ്റ്",
    terabyte: "ടെറാബൈറ്റ്",
    megabitsPerSecond: "സെക്കൻഡിൽ {} മെഗാബിറ്റ്",
    watt: "വാട്ട്",
    kilowatt: "കിലോവാട്ട്",
    kilowattHour: "കിലോവാട്ട് മണിക്കൂർ",
    volt: "വോൾട്ട്",
    hour: "മണിക്കൂർ",
    minute: "മിനിറ്റ്",
    second: "സെക്കൻഡ്"
  },
  date: (day, month, year) => [...(year === undefined ? [] : [year]), month, below100(day)].join(" "),
  shortMonths: listed("ജനു, ഫെബ്രു, മാർ, ഏപ്രി, , , ജൂലാ, ഓഗ, സെപ്റ്റം|സെപ്, ഒക്ടോ|ഒക്, നവം, ഡിസം"),
  clock: {
    parts: [[0, "രാത്രി"], [3, "പുലർച്ചെ"], [6, "രാവിലെ"], [12, "ഉച്ചയ്ക്ക്"], [16, "വൈകുന്നേരം"], [19, "രാത്രി"]],
    say: partFirst((hour, minute) => {
      const hourWords = `${hour === 1 ? "ഒരു" : below100(hour)} മണി`
      return minute === 0 ? hourWords : `${hourWords} ${cardinalWords(numbers, minute, "noun")} മിനിറ്റ്`
    }),
    after: {
      "മണിക്ക്": { "മണി": "മണിക്ക്", "മിനിറ്റ്": "മിനിറ്റിന്" },
      "മണിയ്ക്ക്": { "മണി": "മണിക്ക്", "മിനിറ്റ്": "മിനിറ്റിന്" },
      "മണി": {},
      "മണിവരെ": { "മണി": "മണിവരെ", "മിനിറ്റ്": "മിനിറ്റുവരെ" },
      "മണിയോടെ": { "മണി": "മണിയോടെ", "മിനിറ്റ്": "മിനിറ്റോടെ" },
      "മണിക്കുള്ളിൽ": { "മണി": "മണിക്കുള്ളിൽ", "മിനിറ്റ്": "മിനിറ്റിനുള്ളിൽ" }
    },
    cases: {
      " ന്": { "മണി": "മണിക്ക്", "മിനിറ്റ്": "മിനിറ്റിന്" },
      "ന്": { "മണി": "മണിക്ക്", "മിനിറ്റ്": "മിനിറ്റിന്" },
      "നു": { "മണി": "മണിക്ക്", "മിനിറ്റ്": "മിനിറ്റിന്" }
    },
    behind: asking("വരെ, മുതൽ", {}),
    to: ["മുതൽ"],
    first: {},
    dayparts: listed("രാ., വൈ., ഉ., പകൽ, വൈകിട്ട്, വൈകീട്ട്, ഉച്ചകഴിഞ്ഞ്, ഉച്ചയ്ക്കു, അതിരാവിലെ, രാത്രിയിൽ, ഉച്ചക്ക്")
  },
  codes: {
    secrets: listed("ഒടിപി, ഒ.ടി.പി, പിൻ, പിൻകോഡ്, പിൻ കോഡ്, പാസ്‌വേഡ്, സിവിവി, പിഎൻആർ, ലോഗിൻ"),
    labels: ["കോഡ്", "ഐഡി", "ടോക്കൺ", "റഫറൻസ്"],
    names: listed(
      "വാഹന, വാഹനം, രജിസ്ട്രേഷൻ, മീറ്റർ, പാഴ്സൽ, ബിൽ നമ്പർ, ലോൺ, അക്കൗണ്ട്, കാർഡ്, ഓർഡർ, ടിക്കറ്റ്, " +
        "ബുക്കിംഗ്, ബുക്കിങ്, ചെക്ക്, പോളിസി, ഇൻവോയ്സ്, ട്രെയിൻ, " +
        "ഫ്ലൈറ്റ്, രസീത്, പരാതി, ആധാർ, ഹെൽപ്പ്‌ലൈൻ, നമ്പർ, നം., വിമാനം"
    ),
    numbers: ["നമ്പർ", "നം"],
    endings: listed("അവസാന # അക്ക, അവസാനത്തെ # അക്ക, അവസാന നാലക്കം"),
    links: ["ആണ്", "എന്നത്"],
    owners: ["നിങ്ങളുടെ", "ആണ് നിങ്ങളുടെ", "താങ്കളുടെ"],
    typingWords: listed("രേഖപ്പെടുത്ത, ടൈപ്പ് ചെയ്യ, എന്റർ ചെയ്യ"),
    closings: listed(
      "ൽ അവസാനി, ഇൽ അവസാനി, എന്നതിൽ അവസാനി, എന്ന് അവസാനി, ൽ തീരുന്ന, ലേക്ക് അയ, ലേക്ക് വിളി, " +
        "എന്ന നമ്പറിലേക്ക് അയ, ൽ വിളി, ലേക്ക് എസ്എംഎസ്"
    )
  },
  abbreviations: paired(
    "രാ. #:=രാവിലെ, വൈ. #:=വൈകുന്നേരം, ഉ. #:=ഉച്ചയ്ക്ക്, ലെഫ്. കേണൽ=ലെഫ്റ്റനന്റ് കേണൽ, ഡോ.=ഡോക്ടർ, " +
      "പ്രൊഫ.=പ്രൊഫസർ, പ്രൈ.=പ്രൈവറ്റ്, ലി.=ലിമിറ്റഡ്, കമ്പ.=കമ്പനി, മെ.=മെസ്സേഴ്‌സ്, " +
      "അഡ്വ.=അഡ്വക്കേറ്റ്, നം.=നമ്പർ, ഫോ.=ഫോൺ, കി.മീ.=കിലോമീറ്റർ, Dr.=ഡോക്ടർ, Prof.=പ്രൊഫസർ, Mr.=മിസ്റ്റർ, " +
      "M/s=മെസ്സേഴ്‌സ്, Pvt.=പ്രൈവറ്റ്, Ltd=ലിമിറ്റഡ്, ഡോക്ടർ.=ഡോക്ടർ, മൊ. #=മൊബൈൽ, ജി.=ജില്ല, താ.=താലൂക്ക്, " +
      "രജി.=രജിസ്റ്റേർഡ്"
  )
}
