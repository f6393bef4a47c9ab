import { toWords } from "to-words/ta-IN"
import { below100Of, type CardinalRules, cardinalWords, type NumberContext } from "./Cardinals.js"
import { dayFirst, type Language, partFirst } from "./Language.js"

const hundreds = [
  "",
  "நூறு",
  "இருநூறு",
  "முந்நூறு",
  "நானூறு",
  "ஐநூறு",
  "அறுநூறு",
  "எழுநூறு",
  "எண்ணூறு",
  "தொள்ளாயிரம்"
]

/** The form before more of the number: நூற்று, ஆயிரத்து, லட்சத்து. */
const before = (next: NumberContext, word: string): string =>
  next === "number" ? word.replace(/று$/u, "ற்று").replace(/ம்$/u, "த்து") : word

const numbers: CardinalRules = {
  below100: below100Of(toWords),
  one: "ஒரு",
  hundreds: (count, _words, next) => before(next, hundreds[count] ?? ""),
  thousands: (count, words, next) => before(next, count === 1 ? "ஆயிரம்" : `${words.replace(/ு$/u, "")}ாயிரம்`),
  lakhs: (_count, words, next) => before(next, `${words} லட்சம்`),
  crores: (_count, words, next) => `${words} ${next === "number" ? "கோடியே" : "கோடி"}`
}

const { below100 } = numbers

/** ஐந்தாவது, ஐந்தாம்; after a nasal ஆயிரமாவது, after a vowel கோடியாவது. */
const ordinal = (words: string, ending: string): string => {
  if (!/^[வஆம]/u.test(ending)) return `${words}${ending}`
  const stem = words.replace(/ு$/u, "").replace(/ம்$/u, "ம").replace(/ி$/u, "ிய")
  return `${stem}ா${ending.endsWith("வது") ? "வது" : "ம்"}`
}

export const tamil: Language = {
  locale: "ta-IN",
  numbers,
  year: (year) => cardinalWords(numbers, year),
  ordinals: {
    endings: ["ஆவது", "வது", "ஆம்", "ம்", "க்குள்", "க்கு"],
    detached: ["ஆவது", "வது", "ஆம்"],
    irregular: { "1வது": "முதலாவது", "1ஆவது": "முதலாவது", "1ஆம்": "முதலாம்", "1ம்": "முதலாம்" },
    defaults: [[], "வது"],
    join: ordinal
  },
  signs: {
    minus: "மைனஸ்",
    plus: "பிளஸ்",
    point: "புள்ளி",
    and: "மற்றும்",
    number: "எண்",
    over: "பை",
    at: "அட்",
    dot: "டாட்",
    slash: "ஸ்லாஷ்",
    dash: "டாஷ்",
    underscore: "அண்டர்ஸ்கோர்"
  },
  range: (from, to) => `${from} முதல் ${to}`,
  fractions: {
    "1/2": "அரை",
    "1/3": "மூன்றில் ஒன்று",
    "2/3": "மூன்றில் இரண்டு",
    "1/4": "கால்",
    "3/4": "முக்கால்"
  },
  scales: { thousand: "ஆயிரம்", lakh: "லட்சம்", crore: "கோடி", million: "மில்லியன்", billion: "பில்லியன்" },
  scaleForms: { "ஆயிரம்": "thousand", "லட்சம்": "lakh", "இலட்சம்": "lakh", "கோடி": "crore" },
  currencies: {
    rupees: { whole: "ரூபாய்", part: "பைசா" },
    dollars: { whole: "டாலர்", part: "சென்ட்" },
    euros: { whole: "யூரோ", part: "சென்ட்" },
    pounds: { whole: "பவுண்டு", part: "பென்ஸ்" }
  },
  rupeeForms: ["ரூ"],
  subunitJoiner: " ",
  units: {
    percent: "சதவீதம்",
    kilogram: "கிலோகிராம்",
    gram: "கிராம்",
    milligram: "மில்லிகிராம்",
    kilometre: "கிலோமீட்டர்",
    metre: "மீட்டர்",
    centimetre: "சென்டிமீட்டர்",
    millimetre: "மில்லிமீட்டர்",
    litre: "லிட்டர்",
    millilitre: "மில்லிலிட்டர்",
    celsius: "டிகிரி செல்சியஸ்",
    fahrenheit: "டிகிரி ஃபாரன்ஹீட்",
    degree: "டிகிரி",
    kilometresPerHour: "மணிக்கு {} கிலோமீட்டர்",
    squareFoot: "சதுர அடி",
    squareMetre: "சதுர மீட்டர்",
    foot: "அடி",
    kilobyte: "கிலோபைட்",
    megabyte: "மெகாபைட்",
    gigabyte: "ஜிகாபைட்",
    terabyte: "டெராபைட்",
    megabitsPerSecond: "வினாடிக்கு {} மெகாபிட்",
    watt: "வாட்",
    kilowatt: "கிலோவாட்",
    kilowattHour: "கிலோவாட் மணி",
    volt: "வோல்ட்",
    hour: "மணி நேரம்",
    minute: ["நிமிடம்", "நிமிடங்கள்"],
    second: ["வினாடி", "வினாடிகள்"]
  },
  date: dayFirst(numbers),
  clock: {
    parts: [[0, "இரவு"], [3, "அதிகாலை"], [6, "காலை"], [12, "மதியம்"], [16, "மாலை"], [19, "இரவு"]],
    say: partFirst((hour, minute) => {
      const said = `${hour === 1 ? "ஒரு" : below100(hour)} மணி`
      return minute === 0 ? said : `${said} ${cardinalWords(numbers, minute, "noun")} நிமிடம்`
    }),
    after: ["மணிக்கு", "மணி"]
  },
  codes: {
    secrets: ["ஓடிபி", "ஒடிபி", "பின்", "பின்கோடு", "கடவுச்சொல்"],
    names: ["குறியீடு", "கணக்கு", "ஆர்டர்", "ஐடி", "டிக்கெட்", "புக்கிங்"],
    numbers: ["எண்", "நம்பர்"]
  },
  abbreviations: { "டாக்.": "டாக்டர்", "Dr.": "டாக்டர்" }
}
