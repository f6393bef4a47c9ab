import { LanguageCode, languageCodeOf, languageNameOf } from "@trunkline/spoken-text"
import { Schema } from "effect"

const isLanguage = Schema.is(LanguageCode)

/** The code of a language by its code or its English name; null for one that no voice speaks. */
export const codeOf = (text: string): LanguageCode | null =>
  isLanguage(text) ? text : languageCodeOf(languageNameOf(text) ?? "")

/** English name of a code. */
const nameOf = (code: LanguageCode): string => languageNameOf(code) ?? code

/** Names of languages in a sentence. */
export const languageList = (codes: ReadonlyArray<LanguageCode>): string => codes.map(nameOf).join(", ")

/** An agent, as far as its languages go: those of its versions, or its own. */
interface Speaking {
  readonly languages?: unknown
  readonly versions?: ReadonlyArray<{ readonly languages?: unknown }> | undefined
}

/** Languages that voices speak and a transcriber hears; null where they are unknown, so that any is fine. */
export interface SpeechLanguages {
  readonly voiceLanguages: ReadonlyArray<LanguageCode> | null
  readonly transcriberLanguages: ReadonlyArray<LanguageCode> | null
}

/** A language of an agent that a part does not support. */
export interface LanguageProblem {
  /** Path of the agent's languages. */
  readonly path: string
  readonly message: string
}

const problemOf = (language: unknown, { transcriberLanguages, voiceLanguages }: SpeechLanguages): string | null => {
  const code = typeof language === "string" ? codeOf(language) : null
  // A language that does not exist is reported with the agent's other fields.
  if (code === null) return null
  if (voiceLanguages !== null && !voiceLanguages.includes(code)) {
    return `no voice speaks ${nameOf(code)}: they speak ${languageList(voiceLanguages)}`
  }
  if (transcriberLanguages !== null && !transcriberLanguages.includes(code)) {
    return `the transcriber does not hear ${nameOf(code)}: it hears ${languageList(transcriberLanguages)}`
  }
  return null
}

/** Languages of agents that no voice speaks, or that the transcriber does not hear. `at` is the path of the agents. */
export const languageProblems = (
  agents: ReadonlyArray<Speaking>,
  knownLanguages: SpeechLanguages,
  at = "agents"
): ReadonlyArray<LanguageProblem> =>
  agents.flatMap((agent, index) => {
    const versions = agent.versions === undefined
      ? [{ path: `${at}.${index}.languages`, languages: agent.languages }]
      : agent.versions.map(({ languages }, version) => ({
        path: `${at}.${index}.versions.${version}.languages`,
        languages
      }))
    return versions.flatMap(({ languages, path }) => {
      // An agent without languages speaks English.
      const list: ReadonlyArray<unknown> = Array.isArray(languages) ? languages : ["English"]
      return list.flatMap((language) => {
        const message = problemOf(language, knownLanguages)
        return message === null ? [] : [{ path, message }]
      })
    })
  })
