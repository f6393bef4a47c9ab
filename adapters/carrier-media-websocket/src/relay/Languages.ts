const names = new Intl.DisplayNames(["en"], { type: "language" })

/** Languages whose code is that of their name; the region is that of the line's own language. */
const localCodes = ["as", "bn", "en", "gu", "hi", "kn", "ml", "mr", "or", "pa", "ta", "te", "ur"] as const

const others = ["ar", "de", "es", "fr", "id", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "uk", "vi", "zh"] as const

const nameOf = (language: string): string | null => {
  try {
    return names.of(language) ?? null
  } catch {
    return null
  }
}

const codes = new Map([...localCodes, ...others].map((code) => [nameOf(code)?.toLowerCase(), code]))

/** English name of the language of a code, such as `Hindi` for `hi-IN`; null for an unknown one. */
export const languageName = (code: string): string | null => {
  const [language = ""] = code.split("-")
  return language === "" ? null : nameOf(language)
}

/** Code of a language by its English name, with the region of another code; null for an unknown name. */
export const languageCode = (name: string, like: string): string | null => {
  const code = codes.get(name.toLowerCase())
  const [, region] = like.split("-")
  return code === undefined ? null : region === undefined ? code : `${code}-${region}`
}
