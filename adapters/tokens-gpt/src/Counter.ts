import { macroTask } from "@trunkline/kernel"
import type { TokenCounter } from "@trunkline/models"
import { Effect } from "effect"
import { Counts } from "./Counts.js"
import { endOfPiece } from "./Pieces.js"
import type { Vocabulary } from "./Vocabulary.js"

/** What the vocabulary keeps for itself is counted as the text that it is. */
const asText = { disallowedSpecial: new Set<string>() }

/** Counts with a vocabulary, piece by piece. */
export const makeCounter = ({ countTokens }: Vocabulary): TokenCounter["Type"] => {
  const counts = new Counts()

  const countInPieces = (text: string) =>
    Effect.gen(function*() {
      let tokens = 0
      let from = 0
      while (from < text.length) {
        if (from > 0) yield* macroTask
        const end = endOfPiece(text, from)
        tokens += countTokens(text.slice(from, end), asText)
        from = end
      }
      counts.set(text, tokens)
      return tokens
    })

  return {
    count: (text) =>
      Effect.suspend(() => {
        const known = counts.get(text)
        return known === undefined ? countInPieces(text) : Effect.succeed(known)
      })
  }
}
