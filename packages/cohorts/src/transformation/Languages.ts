/**
 * States and union territories of India by language: current and former ISO 3166-2 codes, number plate codes, current and
 * former names, and common misspellings. Comparison is by letters only, without the word `and`.
 */
const states: ReadonlyArray<readonly [language: string, ...names: ReadonlyArray<string>]> = [
  ["Assamese", "as", "assam"],
  ["Bengali", "tr", "tripura", "wb", "west bengal", "bengal", "paschim banga"],
  ["English", "ar", "arunachal pradesh", "arunachal", "ml", "meghalaya", "nl", "nagaland"],
  ["Gujarati", "gj", "gujarat", "gujrat"],
  ["Gujarati", "dh", "dn", "dd", "dnh", "dnhdd", "dadra and nagar haveli and daman and diu", "dadra and nagar haveli"],
  ["Gujarati", "daman and diu", "daman", "diu"],
  ["Hindi", "br", "bihar", "hr", "haryana", "jh", "jharkhand", "rj", "rajasthan"],
  ["Hindi", "cg", "ct", "chhattisgarh", "chattisgarh", "chhatisgarh", "chhattishgarh"],
  ["Hindi", "hp", "himachal pradesh", "himachal", "mp", "madhya pradesh", "up", "uttar pradesh"],
  ["Hindi", "uk", "ut", "ua", "uttarakhand", "uttrakhand", "uttarkhand", "uttaranchal"],
  ["Hindi", "an", "andaman and nicobar islands", "andaman and nicobar", "andaman", "ch", "chandigarh", "la", "ladakh"],
  ["Hindi", "dl", "delhi", "new delhi", "delhi ncr", "nct of delhi", "national capital territory of delhi"],
  ["Kannada", "ka", "karnataka", "karnatka"],
  ["Konkani", "ga", "goa"],
  ["Malayalam", "kl", "kerala", "ld", "lakshadweep"],
  ["Manipuri", "mn", "manipur"],
  ["Marathi", "mh", "maharashtra", "maharastra"],
  ["Mizo", "mz", "mizoram"],
  ["Nepali", "sk", "sikkim"],
  ["Odia", "od", "or", "odisha", "orissa"],
  ["Punjabi", "pb", "punjab"],
  ["Tamil", "tn", "tamil nadu", "py", "puducherry", "pondicherry"],
  ["Telugu", "ap", "andhra pradesh", "andhra", "ts", "tg", "telangana", "telengana"],
  ["Urdu", "jk", "jammu and kashmir"]
]

const letters = (text: string): string => text.toLowerCase().replaceAll(/\band\b|[^a-z]/g, "")

const byState = new Map(
  states.flatMap(([language, ...names]) => names.map((name) => [letters(name), language] as const))
)

/**
 * The most spoken official language of an Indian state or union territory, given by current or former name or by code, as
 * in `MH` and `IN-MH`. Case, spaces, dots, `and` and `&` do not matter. `undefined` for any other text.
 */
export const languageOfState = (state: string): string | undefined =>
  byState.get(letters(state.trim().replace(/^IN[- ](?=[A-Z]{2}$)/i, "")))
