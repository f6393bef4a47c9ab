import { toWords } from "to-words/pa-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { asking, dayFirst, type Language, listed, paired, partFirst, plainJoin } from "./Language.js"

const numbers: CardinalRules = {
  below100: below100Of(toWords, {
    19: "ਉੱਨੀ",
    35: "ਪੈਂਤੀ",
    37: "ਸੈਂਤੀ",
    59: "ਉਣਾਹਠ",
    66: "ਛਿਆਹਠ",
    67: "ਸਤਾਹਠ",
    68: "ਅਠਾਹਠ",
    89: "ਉਣਾਨਵੇਂ"
  }),
  one: "ਇੱਕ",
  hundreds: followedBy("ਸੌ"),
  thousands: followedBy("ਹਜ਼ਾਰ"),
  lakhs: followedBy("ਲੱਖ"),
  crores: followedBy("ਕਰੋੜ")
}

const { below100 } = numbers

export const punjabi: Language = {
  locale: "pa-IN",
  numbers,
  year: inHundreds(numbers),
  ordinals: {
    endings: ["ਵਾਂ", "ਵੀਂ", "ਵੇਂ"],
    detachedEndings: ["ਵਾਂ", "ਵੀਂ", "ਵੇਂ"],
    irregular: {
      "1ਲਾ": "ਪਹਿਲਾ",
      "1ਲੀ": "ਪਹਿਲੀ",
      "1ਲੇ": "ਪਹਿਲੇ",
      "2ਜਾ": "ਦੂਜਾ",
      "2ਜੀ": "ਦੂਜੀ",
      "2ਜੇ": "ਦੂਜੇ",
      "3ਜਾ": "ਤੀਜਾ",
      "3ਜੀ": "ਤੀਜੀ",
      "3ਜੇ": "ਤੀਜੇ",
      "4ਥਾ": "ਚੌਥਾ",
      "4ਥੀ": "ਚੌਥੀ",
      "4ਥੇ": "ਚੌਥੇ"
    },
    defaults: [["ਲਾ", "ਜਾ", "ਜਾ", "ਥਾ"], "ਵਾਂ"],
    join: plainJoin
  },
  signs: {
    minus: "ਮਾਈਨਸ",
    plus: "ਪਲੱਸ",
    point: "ਦਸ਼ਮਲਵ",
    and: "ਅਤੇ",
    number: "ਨੰਬਰ",
    section: "ਧਾਰਾ",
    over: "ਬਟਾ",
    at: "ਐਟ",
    dot: "ਡਾਟ",
    slash: "ਸਲੈਸ਼",
    dash: "ਡੈਸ਼",
    underscore: "ਅੰਡਰਸਕੋਰ"
  },
  range: (from, to) => `${from} ਤੋਂ ${to}`,
  fractions: { "1/2": "ਅੱਧਾ", "1/3": "ਇੱਕ ਤਿਹਾਈ", "2/3": "ਦੋ ਤਿਹਾਈ", "1/4": "ਇੱਕ ਚੌਥਾਈ", "3/4": "ਤਿੰਨ ਚੌਥਾਈ" },
  scales: { thousand: "ਹਜ਼ਾਰ", lakh: "ਲੱਖ", crore: "ਕਰੋੜ", million: "ਮਿਲੀਅਨ", billion: "ਬਿਲੀਅਨ" },
  scaleForms: { "ਹਜ਼ਾਰ": "thousand", "ਹਜਾਰ": "thousand", "ਲੱਖ": "lakh", "ਕਰੋੜ": "crore" },
  currencies: {
    rupees: { whole: ["ਰੁਪਇਆ", "ਰੁਪਏ"], part: ["ਪੈਸਾ", "ਪੈਸੇ"] },
    taka: { whole: "ਟਕਾ", part: "ਪੈਸੇ" },
    dollars: { whole: "ਡਾਲਰ", part: "ਸੈਂਟ" },
    euros: { whole: "ਯੂਰੋ", part: "ਸੈਂਟ" },
    pounds: { whole: "ਪੌਂਡ", part: "ਪੈਂਸ" }
  },
  rupeeWords: { "ਰੁਪਿਆ": "ਪੈਸਾ", "ਰੁਪਏੇ": "ਪੈਸੇ", "ਰੁਪਈਏ": "ਪੈਸੇ", "ਰੁਪਿਆਂ": "ਪੈਸਿਆਂ", "ਰੁਪਇਆਂ": "ਪੈਸਿਆਂ" },
  rupeeEndings: {},
  countNouns: listed("ਦਿਨ, ਦਿਨਾਂ, ਹਫ਼ਤੇ, ਹਫਤੇ, ਮਹੀਨੇ, ਮਹੀਨਿਆਂ, ਸਾਲ, ਸਾਲਾਂ, ਮਿੰਟਾਂ, ਘੰਟਿਆਂ, ਲੋਕ, ਲੋਕਾਂ, ਵਾਰ, ਯੂਨਿਟ, ਮੈਂਬਰ, ਗਾਹਕ"),
  rupeeForms: ["ਰੁ"],
  subunitJoiner: " ",
  units: {
    percent: "ਪ੍ਰਤੀਸ਼ਤ",
    kilogram: "ਕਿਲੋਗ੍ਰਾਮ",
    gram: "ਗ੍ਰਾਮ",
    milligram: "ਮਿਲੀਗ੍ਰਾਮ",
    kilometre: "ਕਿਲੋਮੀਟਰ",
    metre: "ਮੀਟਰ",
    centimetre: "ਸੈਂਟੀਮੀਟਰ",
    millimetre: "ਮਿਲੀਮੀਟਰ",
    litre: "ਲੀਟਰ",
    millilitre: "ਮਿਲੀਲੀਟਰ",
    celsius: "ਡਿਗਰੀ ਸੈਲਸੀਅਸ",
    fahrenheit: "ਡਿਗਰੀ ਫਾਰਨਹਾਈਟ",
    degree: "ਡਿਗਰੀ",
    kilometresPerHour: "ਕਿਲੋਮੀਟਰ ਪ੍ਰਤੀ ਘੰਟਾ",
    squareFoot: "ਵਰਗ ਫੁੱਟ",
    squareMetre: "ਵਰਗ ਮੀਟਰ",
    foot: "ਫੁੱਟ",
    kilobyte: "ਕਿਲੋਬਾਈਟ",
    megabyte: "ਮੈਗਾਬਾਈਟ",
    gigabyte: "ਗੀਗਾਬਾਈਟ",
    terabyte: "ਟੈਰਾਬਾਈਟ",
    megabitsPerSecond: "ਮੈਗਾਬਿਟ ਪ੍ਰਤੀ ਸਕਿੰਟ",
    watt: "ਵਾਟ",
    kilowatt: "ਕਿਲੋਵਾਟ",
    kilowattHour: ["ਕਿਲੋਵਾਟ ਘੰਟਾ", "ਕਿਲੋਵਾਟ ਘੰਟੇ"],
    volt: "ਵੋਲਟ",
    hour: ["ਘੰਟਾ", "ਘੰਟੇ"],
    minute: "ਮਿੰਟ",
    second: "ਸਕਿੰਟ"
  },
  date: dayFirst(numbers),
  shortMonths: listed("ਜਨ, ਫ਼ਰ|ਫਰ, , ਅਪ੍ਰੈ, , , ਜੁਲਾ, ਅਗ, ਸਤੰ, ਅਕਤੂ, ਨਵੰ, ਦਸੰ"),
  clock: {
    parts: [[0, "ਰਾਤ"], [4, "ਸਵੇਰੇ"], [12, "ਦੁਪਹਿਰ"], [16, "ਸ਼ਾਮ"], [20, "ਰਾਤ"]],
    say: partFirst((hour, minute) =>
      minute === 0 ? `${below100(hour)} ਵਜੇ` : `${below100(hour)} ਵੱਜ ਕੇ ${below100(minute)} ਮਿੰਟ`
    ),
    after: { "ਵਜੇ": {} },
    cases: {},
    behind: asking("'ਤੇ, ’ਤੇ, ਤੇ, ਤੱਕ, ਤੋਂ ਪਹਿਲਾਂ, ਤੋਂ ਬਾਅਦ", {}),
    to: ["ਤੋਂ"],
    first: {},
    dayparts: listed("ਸਵੇਰ, ਸਵੇਰ ਦੇ, ਦੁਪਹਿਰ ਦੇ, ਦੁਪਹਿਰੇ, ਸ਼ਾਮ ਦੇ, ਸ਼ਾਮੀਂ, ਰਾਤ ਦੇ, ਰਾਤੀਂ, ਰਾਤ ਨੂੰ, ਸ਼ਾਮ ਨੂੰ")
  },
  codes: {
    secrets: listed("ਓਟੀਪੀ, ਪਿੰਨ, ਪਿਨ, ਪਿੰਨਕੋਡ, ਪਿਨਕੋਡ, ਪਿੰਨ ਕੋਡ, ਪਾਸਵਰਡ, ਸੀਵੀਵੀ, ਪੀਐਨਆਰ, ਲਾਗਇਨ, ਲਾਗਿਨ, ਲੌਗਇਨ"),
    labels: ["ਕੋਡ", "ਆਈਡੀ", "ਟੋਕਨ", "ਹਵਾਲਾ"],
    names: listed(
      "ਗੱਡੀ, ਵਾਹਨ, ਰਜਿਸਟ੍ਰੇਸ਼ਨ, ਮੀਟਰ, ਪਾਰਸਲ, ਲੋਨ, ਖਾਤਾ, ਖਾਤੇ, ਅਕਾਊਂਟ, ਕਾਰਡ, ਆਰਡਰ, ਟਿਕਟ, ਬੁਕਿੰਗ, ਚੈੱਕ, ਚੈਕ, " +
        "ਪਾਲਿਸੀ, ਇਨਵੌਇਸ, ਰੇਲ, ਟ੍ਰੇਨ, ਫਲਾਈਟ, " +
        "ਰਸੀਦ, ਸ਼ਿਕਾਇਤ, ਆਧਾਰ, ਹੈਲਪਲਾਈਨ, ਨੰਬਰ, ਨੰ., ਫਲਾਇਟ, ਉਡਾਣ"
    ),
    numbers: ["ਨੰਬਰ", "ਨੰ"],
    endings: listed("ਆਖਰੀ # ਅੰਕ, ਆਖ਼ਰੀ # ਅੰਕ, ਅੰਤਿਮ # ਅੰਕ, ਆਖਰੀ # ਅੱਖਰ, ਆਖਰੀ # ਨੰਬਰ, ਆਖ਼ਰੀ # ਨੰਬਰ"),
    links: ["ਹੈ", "ਹਨ"],
    owners: ["ਤੁਹਾਡਾ", "ਤੁਹਾਡੀ", "ਤੁਹਾਡੇ", "ਇਹ ਤੁਹਾਡਾ"],
    typingWords: listed("ਦਰਜ ਕਰ, ਟਾਈਪ ਕਰ"),
    closings: listed(
      "ਨਾਲ ਖਤਮ, ਨਾਲ ਖ਼ਤਮ, ਤੇ ਖਤਮ, 'ਤੇ ਖਤਮ, ਨਾਲ ਸਮਾਪਤ, ਵਾਲਾ ਕਾਰਡ, ਵਾਲੇ ਕਾਰਡ, ਵਾਲੇ ਖਾਤੇ, ਵਾਲਾ ਖਾਤਾ, " +
        "'ਤੇ ਭੇਜ, ’ਤੇ ਭੇਜ, ਤੇ ਭੇਜ, 'ਤੇ ਐਸਐਮਐਸ, ਤੇ ਐਸਐਮਐਸ, 'ਤੇ ਕਾਲ, ਤੇ ਕਾਲ, 'ਤੇ ਫ਼ੋਨ"
    )
  },
  abbreviations: paired(
    "ਲੈਫ. ਕਰਨਲ=ਲੈਫਟੀਨੈਂਟ ਕਰਨਲ, ਅਧਿ.=ਅਧਿਕਾਰੀ, ਡਾ.=ਡਾਕਟਰ, ਨੰ.=ਨੰਬਰ, ਪ੍ਰੋ.=ਪ੍ਰੋਫ਼ੈਸਰ, ਪ੍ਰਾ.=ਪ੍ਰਾਈਵੇਟ, " +
      "ਲਿ.=ਲਿਮਟਿਡ, ਕੰ.=ਕੰਪਨੀ, ਮੈ.=ਮੈਸਰਜ਼, ਸ.=ਸਰਦਾਰ, " +
      "ਐਡ.=ਐਡਵੋਕੇਟ, ਮਿ.=ਮਿਸਟਰ, ਫ਼ੋ.=ਫ਼ੋਨ, ਕਿ.ਮੀ.=ਕਿਲੋਮੀਟਰ, Dr.=ਡਾਕਟਰ, Prof.=ਪ੍ਰੋਫ਼ੈਸਰ, Mr.=ਮਿਸਟਰ, M/s=ਮੈਸਰਜ਼, " +
      "Pvt.=ਪ੍ਰਾਈਵੇਟ, Ltd=ਲਿਮਟਿਡ, ਜ਼ਿ.=ਜ਼ਿਲ੍ਹਾ, ਜਿ.=ਜ਼ਿਲ੍ਹਾ, ਤਹਿ.=ਤਹਿਸੀਲ, ਮੋ. #=ਮੋਬਾਈਲ, ਕੁ.=ਕੁਮਾਰੀ, " +
      "ਰਜਿ.=ਰਜਿਸਟਰਡ, ਡਾਕਟਰ.=ਡਾਕਟਰ"
  )
}
