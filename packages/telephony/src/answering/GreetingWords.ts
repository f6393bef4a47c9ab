import { comparable } from "../announcements/Phrases.js"

/** Contractions with their words, as transcribers write them with and without an apostrophe. */
const contractions: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(i)'?m\b/g, "$1 am"],
  [/\b(he|she|it|that|there|what|who|where|how)'?s\b/g, "$1 is"],
  [/\b(you|they)'?re\b/g, "$1 are"],
  [/\bwe're\b/g, "we are"],
  [/\b(i|you|we|they)'?ve\b/g, "$1 have"],
  [/\b(i|you|we|they|he|she)'d\b/g, "$1 would"],
  [/\b(i|you|we|they|he|she|it)'ll\b/g, "$1 will"],
  [/\b(?:can'?t|can not)\b/g, "cannot"],
  [/\bwon'?t\b/g, "will not"],
  [/\b(do|does|did|is|are|was|were|has|have|could|would|should)n'?t\b/g, "$1 not"]
]

/** The first words of a call as cues are written: lower case, without contractions and punctuation, a space around each. */
export const greetingWords = (text: string): string =>
  comparable(
    contractions.reduce(
      (words, [short, full]) => words.replace(short, full),
      text.toLowerCase().replaceAll("\u2019", "'")
    )
  )

/** Salutations, which machines say as often as people do. */
const salutations = new Set(
  "hello hi hey hiya there greetings good day um uh namaste namaskar हेलो हैलो हेल्लो हाय नमस्ते नमस्कार".split(" ")
    .map((word) => comparable(word).trim())
)

/** The words after the salutation, with a space around each. */
export const withoutSalutation = (words: string): string => {
  const list = words.trim().split(" ")
  const from = list.findIndex((word) => !salutations.has(word))
  return from < 0 ? " " : ` ${list.slice(from).join(" ")} `
}

/** Digits as they are spoken, in English and Hindi. */
const digits = new Set(
  ("zero one two three four five six seven eight nine oh double triple शून्य जीरो एक दो तीन चार पांच छह छः सात आठ नौ " +
    "ek do teen char paanch chhe saat aath nau").split(" ").map((word) => comparable(word).trim())
)

/** Digits at the beginning that make a telephone number. */
const minDigits = 3

/** True for words that begin with a telephone number, which recordings of networks do. */
export const beginsWithNumber = (words: string): boolean => {
  const list = words.trim().split(" ")
  const end = list.findIndex((word) => !/^\p{N}+$/u.test(word) && !digits.has(word))
  const spokenWords = end < 0 ? list : list.slice(0, end)
  return spokenWords.reduce((sum, word) => sum + (/^\p{N}+$/u.test(word) ? word.length : 1), 0) >= minDigits
}

/** Words that follow "this is" and are no name. */
const noNames = new Set(
  ("a an the this whos whose my me not he she his her him about very too no just ok okay fine really so all good bad what who why where how " +
    "going your our their for on in at to wrong right late early only still also regarding doctor dr mr mrs ms sir madam")
    .split(" ")
)

/** Words that go on after a name when a person introduces themselves. */
const liveWords = new Set("from who what how may can speaking yes tell go is was".split(" "))

/** True for words about somebody else, as only people say them: machines speak of themselves and of numbers. */
export const speaksOfOther = (rest: string): boolean => /^ (?:he|she|his|her|my) /.test(rest)

/**
 * True for an introduction by name that goes on: "this is Asha, I", "Asha here, sorry". After "hi", the name alone will do, since people
 * who pick up say "hello".
 */
export const introducesName = (words: string): boolean => {
  const rest = withoutSalutation(words)
  const [, name, next] = /^ (?:this is|it is|my name is) (\S+)(?: (\S+))?/.exec(rest) ??
    /^ (\S+)(?: \S+)? here (\S+)/.exec(rest) ?? /^ (\S+s) (?:phone|mobile|cell|number) (\S+)/.exec(rest) ?? []
  if (name === undefined || noNames.has(name)) return false
  return next === undefined ? /^ (?:hi|hey) /.test(words) : !liveWords.has(next)
}
