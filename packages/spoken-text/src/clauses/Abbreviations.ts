import { english } from "../languages/English.js"
import { languages } from "../languages/Languages.js"

const wordsOf = (text: string): ReadonlyArray<string> => text.split(" ")

/** End of an abbreviation in the tables of languages that is one only before a time: `ಬೆ. #:`. */
export const beforeTime = " #:"

/** Words of the abbreviations in a table that have a full stop, without it: `म` and `प्र` of `म. प्र.`. */
const wordsWithStop = (abbreviations: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.keys(abbreviations).filter((form) => !form.endsWith(beforeTime)).flatMap((form) => form.split(" ")).filter((
    part
  ) => part.endsWith(".")).map((part) => part.slice(0, -1))

/** Short words of Indian languages that end sentences, and are not initials of names. */
const lastWords: ReadonlySet<string> = new Set([
  ...wordsOf("है हैं हूँ हूं हो था थी थे दो दें दे लो लें ले जी जा आ ना ही भी हाँ हां का या छे"),
  ...wordsOf("છે છો છું હા ના જો લો દો લે દે જી ਹੈ ਹਾਂ ਹੋ ਸੀ ਜੀ ਨਾ ਲੈ ਦੇ ਜਾ না কি তো নে ନା କି ହଁ"),
  ...wordsOf("வா போ தா நீ రా పో లే ಬಾ ಹೋ ತಾ പോ വാ താ")
])

/** Whole words that are written with a stop only as titles at the beginning of a sentence, as in `டாக்டர். குமார்`. */
const openers: ReadonlySet<string> = new Set(
  wordsOf("டாக்டர் डॉक्टर ডাক্তার ডক্টর ডাক্তৰ ડૉક્ટર ડોક્ટર ડોકટર ਡਾਕਟਰ డాక్టర్ ಡಾಕ್ಟರ್ ഡോക്ടർ ଡାକ୍ତର")
)

/** Abbreviations of the tables of languages in their own scripts: `प्रा` and `लि`. */
const ofLanguages = Object.values(languages).flatMap(({ abbreviations }) => wordsWithStop(abbreviations)).filter((
  form
) => /\p{Lo}/u.test(form) && !openers.has(form) && !lastWords.has(form))

const tables = Object.values(languages).flatMap(({ abbreviations }) => Object.keys(abbreviations))

/** Parts of the day that are abbreviations before a time, without their stop. */
const partsOfDay: ReadonlySet<string> = new Set(
  tables.filter((form) => form.endsWith(beforeTime)).map((form) => form.slice(0, -beforeTime.length - 1))
)

/** Phrases that begin with the abbreviation of a word that ends sentences too, as in `ले. कर्नल`. */
const phrases = tables.filter((form) => lastWords.has(/^(.*?)\. \S/.exec(form)?.[1] ?? ""))

/** True where such a phrase goes on after its first stop, as far as the text has come. */
const isPhraseNext = (word: string, after: string): boolean => {
  const writtenText = `${word}. ${after.trimStart()}`
  return phrases.some((phrase) => phrase.startsWith(writtenText) || writtenText.startsWith(phrase))
}

/** Short names of months in scripts of India. */
const shortMonths: ReadonlySet<string> = new Set(
  Object.values(languages).flatMap(({ shortMonths }) => shortMonths.flatMap((names) => names.split("|")))
)

/** Abbreviations in lower case that never end a sentence, such as titles and words that stand before a name or a number. */
const titles: ReadonlySet<string> = new Set([
  ...wordsOf("dr mr mrs ms prof re vs st jr sr smt shri sri kum e.g i.e approx dept capt col m/s mohd md govt regd"),
  ...wordsOf(
    "pvt tel mob ph asst addl adv er ca hon lt maj brig insp supt dy distt opp nr bldg apt qty amt acct viz w.e.f"
  ),
  ...wordsOf("engg mfg univ incl excl sq"),
  ...wordsOf("रू श्री श्रीमती सुश्री कु मो मे जन फ़र फर मा अप्रै अग सित अक्टू अक्तू नव दिस जाने फेब्रु एप्रि ऑग सप्टें ऑक्टो नोव्हें डिसें"),
  ...wordsOf("রু মো মোঃ শ্রী জানু ফেব্রু রেজি টা શ્રી શ્રીમતી કુ મો જાન્યુ ફેબ્રુ ਰੁ ਸ ਸ੍ਰੀ ਸ਼੍ਰੀ ମୋ ଶ୍ରୀ ରୁ"),
  ...wordsOf("ரூ திரு திருமதி செல்வி தொ జన ఫిబ్ర రూ శ్రీ శ్రీమతి ಜನ ಫೆಬ್ರ ರೂ ಶ್ರೀ ಶ್ರೀಮತಿ രൂ ശ്രീ ശ്രീമതി ജനു ഫെബ്രു"),
  ...ofLanguages
])

/** Titles that are other words in lower case, as in "an angry mob." */
const capitalTitles: ReadonlySet<string> = new Set(wordsOf("Gen Mob Ref Inv A/c"))

const lowerCaseWords: ReadonlySet<string> = new Set(wordsOf("mob re ms md er ca st hon sri"))

/** Abbreviations that end a sentence unless a lower-case letter, a letter without case or a figure follows. */
const shortForms: ReadonlySet<string> = new Set([
  ...wordsOf(
    "etc a.m p.m kg kgs gm gms km kms cm mm ft ltr hr hrs mins sec no nos vol fig pp ch ext art std p.a a/c"
  ),
  ...wordsOf("bal mob gen ref inv dir tech tab tabs cap caps")
])

/** Months and days of the week, which are other words in lower case. */
const datePattern = /^(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)$/i

/** Names of months and days, which go on with a date: "Sat. Aug. 8". */
const dateNames = wordsOf(
  "January February March April May June July August September October November December " +
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
)

/** True for text that begins with the name of a month or a day, or its first letters as far as they have come. */
const isDateNext = (after: string): boolean => {
  const [gap = "", name = ""] = /^\s*(\p{L}{0,9})/u.exec(after) ?? []
  const isLong = name.length > 2 || after.length === gap.length
  return name !== "" && isLong && dateNames.some((date) => date.startsWith(name))
}

/** Abbreviations that end names of firms and streets. Like initials, they end a sentence only before one of its usual first words. */
const nameEnds: ReadonlySet<string> = new Set(
  wordsOf("ltd inc co corp llp bros rd ave ln blvd dist est min max avg hosp rly flr tal commr secy assoc attn lic rs")
)

/** Other English abbreviations in the table, for which the same holds. */
const ofEnglish: ReadonlySet<string> = new Set(
  wordsWithStop(english.abbreviations).filter((form) => !shortForms.has(form.toLowerCase()) && !datePattern.test(form))
)

/** An amount of which the abbreviation after it is a unit. */
const measuredPattern = /\p{Nd}[\s-]?(?:min|max)$/iu

/** A number of tablets or capsules. */
const dose = /(?:\p{Nd}|½|(?:^|[\s(])(?:half|one|two|three|four))[\s-]?(?:tab|cap)s?$/iu

/** "No." before a number, which begins no sentence. */
const numberNext = /^\s*No\./

/** Places at which an opener is a title: the beginning of a sentence, or after a clause mark. */
const openedPattern = /(?:^|[.,;:!?।\n])[\s([{"'“‘]*\S+$/u

const starters: ReadonlySet<string> = new Set([
  ...wordsOf(
    "the this that these those there here i we you he she it they your our my his her their please thank thanks"
  ),
  ...wordsOf(
    "how what when where why who which can could would shall may do does did is are was were has have if in on at"
  ),
  ...wordsOf(
    "for to as but and so then yes no ok okay sorry kindly let dear hello hi good once after before while because"
  ),
  ...wordsOf("since although until unless also however from with by all any each every some not now today tomorrow")
])

/** First word of a text after opening marks, when the text shows that it is complete. */
const firstWord = /^[\s([{"'“‘]*([\p{L}\p{M}'’]{1,12})(?=[^\p{L}\p{M}'’])/u

/** Characters searched for an abbreviation before a full stop. */
export const reach = 24

/** Text of a sentence before a place, as far as it matters for the full stops to come. */
export const contextOf = (before: string): string => before.length <= reach + 1 ? before : `x${before.slice(-reach)}`

const lastWord = /[^\s([{"'“‘]+$/u

const initial = /^(?:[A-HJ-Z]|\p{Lo}\p{M}{0,2})$/u

/** Text after a short form that goes on: no capital, or an identifier such as `XX1234`. */
const goesOn = /^\s*(?:[\p{Ll}\p{Lo}\p{Nd}#*@₹$&=,;:)]|Rs|\p{Lu}(?:[\p{Lu}\p{Nd}*-]|$))/u

/** Abbreviations with inner stops: `U.P`, and `कि.मी`, `प्रा.लि`. */
const capitals = /^\p{Lu}(?:\.\p{Lu})+$/u

const inner = /^(?:\p{Lo}\p{M}{0,2}){1,2}(?:\.(?:\p{Lo}\p{M}{0,2}){1,2})+$/u

const isTitle = (word: string): boolean => {
  const lower = word.toLowerCase()
  return capitalTitles.has(word) || (titles.has(lower) && !(word === lower && lowerCaseWords.has(lower)))
}

/** True for the full stop of an abbreviation, an initial or a list number, given the text around it. */
export const isAbbreviationStop = (before: string, after: string): boolean => {
  const word = (lastWord.exec(before.slice(-reach))?.[0] ?? "").normalize("NFC")
  if (after.trimStart() === "") return false
  const last = word.slice(word.lastIndexOf(".") + 1)
  if (isTitle(word) || isTitle(last) || inner.test(word)) return true
  const near = contextOf(before)
  if (openers.has(word)) return openedPattern.test(near)
  if (partsOfDay.has(word) && /^\s?\p{Nd}/u.test(after)) return true
  if (lastWords.has(word) && isPhraseNext(word, after)) return true
  if (shortMonths.has(word) && (/\p{Nd}[\s-]?\S+$/u.test(near) || /^\s?\p{Nd}/u.test(after))) return true
  const isMeasure = measuredPattern.test(near)
  const isName = nameEnds.has(last.toLowerCase()) || ofEnglish.has(last) || ofEnglish.has(word)
  if (!isMeasure && (isName || capitals.test(word) || dose.test(near))) {
    const next = firstWord.exec(after)?.[1] ?? ""
    return !/^\p{Lu}/u.test(next) || !starters.has(next.toLowerCase()) || numberNext.test(after)
  }
  if (isMeasure || shortForms.has(word.toLowerCase())) return goesOn.test(after)
  if (datePattern.test(word) && !/^\p{Ll}/u.test(word)) return goesOn.test(after) || isDateNext(after)
  return (initial.test(word) && !lastWords.has(word)) || /^\s*\(?\p{Nd}{1,3}$/u.test(before)
}

const openName = /\.[)\]}"'”’»]*\s+[([{"'“‘]*\p{L}[\p{L}\p{M}'’]{0,11}$/u

/** Length of a text without a last word that may turn out to begin a sentence. */
export const settledLength = (text: string): number => {
  const open = openName.exec(text.slice(-reach))
  return open === null ? text.length : text.length - open[0].length
}
