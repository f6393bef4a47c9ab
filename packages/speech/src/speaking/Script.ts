import type { BadRequest } from "@trunkline/errors"
import { clausesOf, type LanguageCode, type TextNormalizer } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { refuse } from "../forms/Rules.js"

/** A text as it is going to be spoken. */
export interface Script {
  readonly clauses: readonly [string, ...ReadonlyArray<string>]
  readonly language: LanguageCode
  /** The characters of the text that was sent, which are what is paid for. */
  readonly characters: number
}

/** How a text is made ready. */
interface Reading {
  readonly text: string
  readonly language: LanguageCode
  /** Who writes out numbers and the like; null leaves them to the engine. */
  readonly normalizer: TextNormalizer["Type"] | null
}

/** The clauses of a text; one in which there is nothing to say is a `BadRequest`. */
export const scriptOf = ({ language, normalizer, text }: Reading): Effect.Effect<Script, BadRequest> =>
  Effect.suspend(() => {
    const [first, ...others] = clausesOf(normalizer?.normalize(text, language) ?? text, language)
    return first === undefined
      ? refuse("text", "text holds nothing that could be spoken")
      : Effect.succeed<Script>({ clauses: [first, ...others], language, characters: Array.from(text).length })
  })

/** The part of the characters that is paid for when only so many clauses were begun. */
export const charactersOf = ({ characters, clauses }: Script, begun: number): number => {
  const lengths = clauses.map(({ length }) => length)
  const sum = (some: ReadonlyArray<number>) => some.reduce((total, length) => total + length, 0)
  return Math.ceil(characters * sum(lengths.slice(0, begun)) / sum(lengths))
}
