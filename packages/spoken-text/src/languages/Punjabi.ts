import { toWords } from "to-words/pa-IN"
import { below100Of, type CardinalRules, followedBy, inHundreds } from "./Cardinals.js"
import { dayFirst, type Language, partFirst, plainJoin } from "./Language.js"

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
    detached: ["ਵਾਂ", "ਵੀਂ", "ਵੇਂ"],
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
    dollars: { whole: "ਡਾਲਰ", part: "ਸੈਂਟ" },
    euros: { whole: "ਯੂਰੋ", part: "ਸੈਂਟ" },
    pounds: { whole: "ਪੌਂਡ", part: "ਪੈਂਸ" }
  },
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
  clock: {
    parts: [[0, "ਰਾਤ"], [4, "ਸਵੇਰੇ"], [12, "ਦੁਪਹਿਰ"], [16, "ਸ਼ਾਮ"], [20, "ਰਾਤ"]],
    say: partFirst((hour, minute) =>
      minute === 0 ? `${below100(hour)} ਵਜੇ` : `${below100(hour)} ਵੱਜ ਕੇ ${below100(minute)} ਮਿੰਟ`
    ),
    after: ["ਵਜੇ"]
  },
  codes: {
    secrets: ["ਓਟੀਪੀ", "ਪਿੰਨ", "ਪਿਨ", "ਪਿੰਨਕੋਡ", "ਪਿਨਕੋਡ", "ਪਾਸਵਰਡ"],
    names: ["ਕੋਡ", "ਖਾਤਾ", "ਖਾਤੇ", "ਅਕਾਊਂਟ", "ਆਰਡਰ", "ਆਈਡੀ", "ਟਿਕਟ", "ਬੁਕਿੰਗ"],
    numbers: ["ਨੰਬਰ", "ਨੰ"]
  },
  abbreviations: { "ਡਾ.": "ਡਾਕਟਰ", "Dr.": "ਡਾਕਟਰ", "ਨੰ.": "ਨੰਬਰ" }
}
