import { issueType } from "@trunkline/errors"
import { ParseResult, Schema } from "effect"

/** English names of languages, with ISO 639 codes, native and other names, in lower case and Unicode NFC. */
const languages: ReadonlyArray<readonly [name: string, ...words: ReadonlyArray<string>]> = [
  ["Assamese", "as", "asm", "asamiya", "অসমীয়া"],
  ["Bengali", "bn", "ben", "bangla", "বাংলা"],
  ["Bodo", "brx", "बड़ो"],
  ["Dogri", "doi", "डोगरी"],
  ["English", "en", "eng"],
  ["Gujarati", "gu", "guj", "ગુજરાતી"],
  ["Hindi", "hi", "hin", "हिन्दी", "हिंदी"],
  ["Kannada", "kn", "kan", "ಕನ್ನಡ"],
  ["Kashmiri", "ks", "kas"],
  ["Konkani", "kok", "gom", "कोंकणी"],
  ["Maithili", "mai", "मैथिली"],
  ["Malayalam", "ml", "mal", "മലയാളം"],
  ["Manipuri", "mni", "meitei", "meiteilon"],
  ["Marathi", "mr", "mar", "मराठी"],
  ["Mizo", "lus"],
  ["Nepali", "ne", "nep", "नेपाली"],
  ["Odia", "or", "od", "ori", "ory", "oriya", "ଓଡ଼ିଆ"],
  ["Punjabi", "pa", "pan", "panjabi", "ਪੰਜਾਬੀ"],
  ["Sanskrit", "sa", "san", "संस्कृतम्"],
  ["Santali", "sat", "santhali", "ᱥᱟᱱᱛᱟᱲᱤ"],
  ["Sindhi", "sd", "snd"],
  ["Tamil", "ta", "tam", "தமிழ்"],
  ["Telugu", "te", "tel", "తెలుగు"],
  ["Urdu", "ur", "urd", "اردو"]
]

const byWord = new Map(
  languages.flatMap(([name, ...words]) => [name.toLowerCase(), ...words].map((word) => [word, name] as const))
)

const tag = /^([a-z]{2,3})(?:[-_][a-z0-9]{2,8})+$/

/**
 * The English name of a language, given by name in any case or in its script, by ISO 639 code, or by a tag such as
 * `hi-IN`. Covers English and the languages of India; `undefined` for any other text.
 */
export const languageNameOf = (text: string): string | undefined => {
  const word = text.trim().normalize("NFC").toLowerCase()
  return byWord.get(word) ?? byWord.get(tag.exec(word)?.[1] ?? "")
}

const names = languages.map(([name]) => name).join(", ")

/** Message about a text that names no language. */
export const unknownLanguage =
  `Must be a language by its English name or its code, such as Hindi or hi-IN; known are ${names}`

/** English name of a language, decoded from a name in any case or a code, as {@link languageNameOf}. */
export const LanguageName = Schema.transformOrFail(Schema.String, Schema.NonEmptyString, {
  strict: true,
  decode: (text, _, ast) => {
    const name = languageNameOf(text)
    return name === undefined
      ? ParseResult.fail(new ParseResult.Type(ast, text, unknownLanguage))
      : ParseResult.succeed(name)
  },
  encode: ParseResult.succeed
}).annotations({ ...issueType("value_error") })
