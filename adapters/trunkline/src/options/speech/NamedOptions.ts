import { LanguageCode } from "@trunkline/spoken-text"
import { checkKnown, InvalidOption } from "../InvalidOption.js"
import { codeOf } from "./LanguageCodes.js"
import type { NamedProblem, NamedSpeech } from "./NamedSpeech.js"
import type { SpeechProviderOptions } from "./SpeechProviders.js"

const fields: Readonly<Record<keyof SpeechProviderOptions, true>> = {
  apiKey: true,
  baseUrl: true,
  languages: true,
  model: true,
  rate: true,
  voice: true
}

/** Names of the options where they differ from those of the part. */
const optionNames: Readonly<Record<NamedProblem["field"], string>> = {
  apiKey: "apiKey",
  languages: "languages",
  model: "model",
  rate: "rate",
  url: "baseUrl",
  voice: "voice"
}

const languageAt = (at: string) => (text: string): LanguageCode => {
  const code = codeOf(text)
  if (code === null) {
    throw new InvalidOption(at, `"${text}" is not a language of voices; there are ${LanguageCode.literals.join(", ")}`)
  }
  return code
}

/** Voices by language; undefined for none. */
const voiceAt = (voice: SpeechProviderOptions["voice"], at: string): NamedSpeech["voice"] => {
  if (voice === undefined || typeof voice === "string") return voice
  const codeAt = languageAt(at)
  return Object.fromEntries(Object.entries(voice).map(([language, id]) => [codeAt(language), id]))
}

/** A part by the name of its provider. Throws `InvalidOption` for options that do not exist or are of another kind. */
export const namedOf = <Name extends string>(
  name: Name,
  options: SpeechProviderOptions,
  at: string
): NamedSpeech<Name> => {
  checkKnown(options, fields, at)
  const { apiKey, baseUrl, languages, model, rate, voice } = options
  const texts = { apiKey, baseUrl, model }
  for (const [field, value] of Object.entries(texts)) {
    if (value !== undefined && typeof value !== "string") throw new InvalidOption(`${at}.${field}`, "must be a text")
  }
  if (rate !== undefined && !(Number.isInteger(rate) && rate >= 8_000 && rate <= 48_000)) {
    throw new InvalidOption(`${at}.rate`, "must be a whole number of hertz from 8,000 to 48,000")
  }
  return {
    name,
    apiKey,
    model,
    voice: voiceAt(voice, `${at}.voice`),
    languages: languages?.map(languageAt(`${at}.languages`)),
    url: baseUrl,
    rate
  }
}

/** Throws `InvalidOption` for the first problem of a part. */
export const checkNamed = ([problem]: ReadonlyArray<NamedProblem>, at: string): void => {
  if (problem !== undefined) throw new InvalidOption(`${at}.${optionNames[problem.field]}`, problem.message)
}
