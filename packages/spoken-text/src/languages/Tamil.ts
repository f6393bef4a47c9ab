import { toWords } from "to-words/ta-IN"
import { below100Of, type CardinalRules, cardinalWords, type NumberContext } from "./Cardinals.js"
import { asking, dayFirst, type Language, listed, paired, partFirst } from "./Language.js"

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

/** Endings that begin with a vowel, as they are written after a consonant: பத்தை, பத்திலிருந்து. */
const vowels: Readonly<Record<string, string>> = {
  "ஐ": "ை",
  "ல்": "ில்",
  "இல்": "ில்",
  "உடன்": "ுடன்",
  "இன்": "ின்",
  "ஆல்": "ால்",
  "னால்": "ால்",
  "லிருந்து": "ிலிருந்து",
  "இலிருந்து": "ிலிருந்து"
}

/** ஐந்தாவது, ஐந்தாம், ஐந்தில்; after a nasal ஆயிரமாவது, after a vowel கோடியாவது. */
const ordinal = (words: string, ending: string): string => {
  const base = words.replace(/ு$/u, "").replace(/ம்$/u, "த்த").replace(/ி$/u, "ிய")
  const vowel = vowels[ending]
  if (vowel !== undefined) return `${base}${vowel}`
  if (ending.startsWith("க்க")) return `${words.replace(/ம்$/u, "த்து").replace(/்$/u, "ு")}${ending}`
  if (!/^[வஆமந]/u.test(ending)) return `${words}${ending}`
  const stem = words.replace(/ு$/u, "").replace(/ம்$/u, "ம").replace(/ி$/u, "ிய")
  if (ending.startsWith("ந்")) return `${stem}ாம் ${ending.slice(2)}`
  return `${stem}ா${ending.endsWith("வது") ? "வது" : "ம்"}`
}

export const tamil: Language = {
  locale: "ta-IN",
  numbers,
  year: (year) => cardinalWords(numbers, year),
  ordinals: {
    endings: [
      "ந்தேதி",
      "லிருந்து",
      "இலிருந்து",
      "க்கும்",
      "இன்",
      "ஐ",
      "ஆல்",
      "னால்",
      "ஆவது",
      "வது",
      "ஆம்",
      "ம்",
      "க்குள்",
      "க்கு",
      "இல்",
      "ல்",
      "உடன்"
    ],
    detachedEndings: ["க்கு", "க்குள்", "ஆவது", "வது", "ஆம்"],
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
    section: "பிரிவு",
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
    taka: { whole: "டாகா", part: "பைசா" },
    dollars: { whole: "டாலர்", part: "சென்ட்" },
    euros: { whole: "யூரோ", part: "சென்ட்" },
    pounds: { whole: "பவுண்டு", part: "பென்ஸ்" }
  },
  rupeeWords: {
    "ரூபாயை": "பைசாவை",
    "ரூபாய்க்கு": "பைசாவுக்கு",
    "ரூபாயில்": "பைசாவில்",
    "ரூபாயும்": "பைசாவும்",
    "ரூபாயாக": "பைசாவாக",
    "ரூபாயாகும்": "பைசாவாகும்",
    "ரூபா": "பைசா"
  },
  rupeeEndings: { "த்திற்கு": "ரூபாய்க்கு", "த்தை": "ரூபாயை", "க்கு": "ரூபாய்க்கு", "ஐ": "ரூபாயை", "இல்": "ரூபாயில்", "ல்": "ரூபாயில்" },
  countNouns: listed(
    "நாள், நாட்கள், நாட்களில், நாட்களுக்குள், வாரம், வாரங்கள், மாதம், மாதங்கள், ஆண்டு, ஆண்டுகள், வருடம், " +
      "வருடங்கள், நிமிடங்களில், நிமிடங்களுக்குள், பேர், பேருக்கு, முறை, யூனிட், உறுப்பினர்கள், புள்ளிகள்"
  ),
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
  shortMonths: listed("ஜன, பிப்|பிப்ர, மார், ஏப்|ஏப்ர, , , , ஆக, செப்|செப்ட, அக்|அக்டோ, நவ|நவம், டிச|டிசம்"),
  clock: {
    parts: [[0, "இரவு"], [3, "அதிகாலை"], [6, "காலை"], [12, "மதியம்"], [16, "மாலை"], [19, "இரவு"]],
    say: partFirst((hour, minute) => {
      const hourWords = `${hour === 1 ? "ஒரு" : below100(hour)} மணி`
      return minute === 0 ? hourWords : `${hourWords} ${cardinalWords(numbers, minute, "noun")} நிமிடம்`
    }),
    after: {
      "மணிக்கு": { "மணி": "மணிக்கு", "நிமிடம்": "நிமிடத்திற்கு" },
      "மணி": {},
      "மணிக்குள்": { "மணி": "மணிக்குள்", "நிமிடம்": "நிமிடத்திற்குள்" },
      "மணியளவில்": { "மணி": "மணியளவில்", "நிமிடம்": "நிமிட அளவில்" },
      "மணியிலிருந்து": { "மணி": "மணியிலிருந்து", "நிமிடம்": "நிமிடத்திலிருந்து" },
      "மணிவரை": { "மணி": "மணிவரை", "நிமிடம்": "நிமிடம்வரை" }
    },
    cases: {
      " க்கு": { "மணி": "மணிக்கு", "நிமிடம்": "நிமிடத்திற்கு" },
      "க்கு": { "மணி": "மணிக்கு", "நிமிடம்": "நிமிடத்திற்கு" },
      "க்குள்": { "மணி": "மணிக்குள்", "நிமிடம்": "நிமிடத்திற்குள்" }
    },
    behind: asking("வரை, முதல்", {}),
    to: ["முதல்", "இலிருந்து"],
    first: {},
    dayparts: listed("கா., மா., மு.ப., பி.ப., காலையில், மாலையில், இரவில், முற்பகல், பிற்பகல், நண்பகல், மதியத்தில்")
  },
  codes: {
    secrets: listed("ஓடிபி, ஒடிபி, பின், பின்கோடு, பின் கோடு, கடவுச்சொல், சிவிவி, பிஎன்ஆர், உள்நுழைய, லாகின்"),
    labels: ["குறியீடு", "கோடு", "ஐடி", "டோக்கன்"],
    names: listed(
      "வாகன, வாகனம், பில் எண், பதிவு எண், கடன் எண், மீட்டர், பார்சல், நுகர்வோர், வாடிக்கையாளர் எண், கணக்கு, " +
        "அக்கவுண்ட், அட்டை, கார்டு, ஆர்டர், டிக்கெட், புக்கிங், முன்பதிவு, காசோலை, பாலிசி, " +
        "இன்வாய்ஸ், ரயில், விமானம், ரசீது, புகார், ஆதார், உதவி எண், எண், நம்பர், ஃப்ளைட்"
    ),
    numbers: ["எண்", "நம்பர்"],
    endings: listed("கடைசி # இலக்க, கடைசி # எண், இறுதி # இலக்க, இறுதி # எண்"),
    links: ["ஆகும்", "என்பது"],
    owners: ["உங்கள்", "என்பது உங்கள்", "தங்கள்"],
    typingWords: listed("உள்ளிட, ஐ உள்ளிட, பதிவிட, டைப் செய், தட்டச்சு செய்"),
    closings: listed(
      "இல் முடி, ல் முடி, என முடி, என்று முடி, உடன் முடி, இல் முடியும், க்கு அனுப்ப, க்கு எஸ்எம்எஸ், " +
        "ஐ அழை, க்கு அழை, எண்ணுக்கு அனுப்ப"
    )
  },
  abbreviations: paired(
    "கா. #:=காலை, மா. #:=மாலை, மு.ப. #:=முற்பகல், பி.ப. #:=பிற்பகல், வா.எண்.=வாடிக்கையாளர் எண், " +
      "நீட்.=நீட்டிப்பு, டாக்.=டாக்டர், பேரா.=பேராசிரியர், பி.=பிரைவேட், பிரை.=பிரைவேட், லிட்.=லிமிடெட், " +
      "லிமி.=லிமிடெட், " +
      "மெ.=மெசர்ஸ், எண்.=எண், தொ.பே.=தொலைபேசி, கி.மீ.=கிலோமீட்டர், Dr.=டாக்டர், Prof.=பேராசிரியர், " +
      "Mr.=மிஸ்டர், M/s=மெசர்ஸ், Pvt.=பிரைவேட், Ltd=லிமிடெட், டாக்டர்.=டாக்டர், தொ.=தொலைபேசி, " +
      "செல். #=செல்பேசி, பதி.=பதிவு, வ. எண்.=வரிசை எண்"
  )
}
