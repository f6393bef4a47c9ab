const languages: ReadonlyArray<readonly [name: string, ...codes: ReadonlyArray<string>]> = [
  ["Assamese", "as", "asm"],
  ["Bengali", "bn", "ben", "bangla"],
  ["Bodo", "brx"],
  ["Dogri", "doi"],
  ["English", "en", "eng"],
  ["Gujarati", "gu", "guj"],
  ["Hindi", "hi", "hin"],
  ["Kannada", "kn", "kan"],
  ["Kashmiri", "ks", "kas"],
  ["Konkani", "kok", "gom"],
  ["Maithili", "mai"],
  ["Malayalam", "ml", "mal"],
  ["Manipuri", "mni", "meitei"],
  ["Marathi", "mr", "mar"],
  ["Mizo", "lus"],
  ["Nepali", "ne", "nep"],
  ["Odia", "or", "od", "ori", "ory", "oriya"],
  ["Punjabi", "pa", "pan"],
  ["Sanskrit", "sa", "san"],
  ["Santali", "sat"],
  ["Sindhi", "sd", "snd"],
  ["Tamil", "ta", "tam"],
  ["Telugu", "te", "tel"],
  ["Urdu", "ur", "urd"]
]

const states: ReadonlyArray<readonly [language: string, ...names: ReadonlyArray<string>]> = [
  ["Assamese", "assam"],
  ["Bengali", "tripura", "west bengal"],
  ["English", "arunachal pradesh", "meghalaya", "nagaland"],
  [
    "Gujarati",
    "gujarat",
    "dadra and nagar haveli and daman and diu",
    "dadra and nagar haveli",
    "daman and diu"
  ],
  [
    "Hindi",
    "bihar",
    "chhattisgarh",
    "chattisgarh",
    "haryana",
    "himachal pradesh",
    "jharkhand",
    "madhya pradesh",
    "rajasthan",
    "uttar pradesh",
    "uttarakhand",
    "uttaranchal",
    "andaman and nicobar islands",
    "andaman and nicobar",
    "chandigarh",
    "delhi",
    "new delhi",
    "nct of delhi",
    "national capital territory of delhi",
    "ladakh"
  ],
  ["Kannada", "karnataka"],
  ["Konkani", "goa"],
  ["Malayalam", "kerala", "lakshadweep"],
  ["Manipuri", "manipur"],
  ["Marathi", "maharashtra"],
  ["Mizo", "mizoram"],
  ["Nepali", "sikkim"],
  ["Odia", "odisha", "orissa"],
  ["Punjabi", "punjab"],
  ["Tamil", "tamil nadu", "tamilnadu", "puducherry", "pondicherry"],
  ["Telugu", "andhra pradesh", "telangana"],
  ["Urdu", "jammu and kashmir"]
]

const byState = new Map(states.flatMap(([language, ...names]) => names.map((name) => [name, language] as const)))

const byWord = new Map(
  languages.flatMap(([name, ...codes]) => [name.toLowerCase(), ...codes].map((word) => [word, name] as const))
)

const plain = (text: string): string => text.trim().toLowerCase().replaceAll("&", " and ").replace(/\s+/g, " ")

/**
 * The language to speak with people of an Indian state or union territory: the most spoken official language there.
 * Case, spacing and `&` for `and` do not matter; former names are known too. `undefined` for any other text.
 */
export const languageOfState = (state: string): string | undefined => byState.get(plain(state))

/**
 * The English name of a language given by name in any case, by ISO 639 code, or by a tag such as `hi-IN`
 * (English and the languages of India). `undefined` for any other text.
 */
export const languageName = (text: string): string | undefined =>
  byWord.get(plain(text)) ?? byWord.get(/^([a-z]{2,3})[-_][a-z]{2,4}$/.exec(plain(text))?.[1] ?? "")
