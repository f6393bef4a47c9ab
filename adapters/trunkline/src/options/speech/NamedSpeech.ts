import type { LanguageCode } from "@trunkline/spoken-text"
import { languageList } from "./LanguageCodes.js"

/** A voice or a transcriber by the name of its provider, as an option or a setting chose it. */
export interface NamedSpeech<Name extends string = string> {
  readonly name: Name
  readonly apiKey: string | undefined
  readonly model: string | undefined
  /** Voice, or one for each language; undefined for the provider's default, and for transcribers. */
  readonly voice: string | Partial<Readonly<Record<LanguageCode, string>>> | undefined
  /** Languages to restrict the part to; undefined for all of the model. */
  readonly languages: ReadonlyArray<LanguageCode> | undefined
  /** URL in place of the provider's. */
  readonly url: string | undefined
  /** Sample rate in hertz; undefined for the default. */
  readonly rate: number | undefined
}

/** A field of a named part that cannot be used. */
export interface NamedProblem {
  readonly field: "apiKey" | "languages" | "model" | "rate" | "url" | "voice"
  /** The fault, as the end of a sentence. */
  readonly message: string
}

/** Facts about a provider, for checks. */
interface ProviderFacts {
  readonly label: string
  readonly keyVariable: string | null
  readonly defaultUrl: string
  readonly schemes: RegExp
  readonly rates: ReadonlyArray<number> | null
  readonly languages: ReadonlyArray<LanguageCode>
  /** "speaks" or "hears". */
  readonly verb: string
}

const hostOf = (url: string): string => URL.canParse(url) ? new URL(url).hostname : ""

const urlProblem = ({ schemes }: ProviderFacts, url: string | undefined): string | null => {
  if (url === undefined) return null
  const isFine = URL.canParse(url) && schemes.test(new URL(url).protocol)
    && new URL(url).username === "" && new URL(url).password === ""
  return isFine ? null : "must be a URL of the provider's kind, without user and password"
}

/** Problems with the fields that voices and transcribers share. */
export const commonProblems = (speech: NamedSpeech, facts: ProviderFacts): ReadonlyArray<NamedProblem> => {
  const { defaultUrl, keyVariable, label, languages, rates, verb } = facts
  const { apiKey, languages: chosenLanguages = [], model = "its model", rate, url } = speech
  const badUrl = urlProblem(facts, url)
  const needsKey = keyVariable !== null && !apiKey && hostOf(url ?? defaultUrl) === hostOf(defaultUrl)
  const strange = chosenLanguages.filter((language) => !languages.includes(language))
  return [
    ...(badUrl === null ? [] : [{ field: "url" as const, message: badUrl }]),
    ...(needsKey
      ? [{ field: "apiKey" as const, message: `${label} needs a key, such as that of the variable ${keyVariable}` }]
      : []),
    ...(strange.length === 0 ? [] : [{
      field: "languages" as const,
      message: `with ${model}, ${label} ${verb} only ${languageList(languages)}, and not ${languageList(strange)}`
    }]),
    ...(rate === undefined || rates === null || rates.includes(rate)
      ? []
      : [{ field: "rate" as const, message: `must be one of ${rates.join(", ")} hertz for ${label}` }])
  ]
}
