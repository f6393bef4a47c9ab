import { macroTask } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Tokenize } from "./LlamaModule.js"

/**
 * Texts are given to llama.cpp in pieces of at most so many UTF-16 units. What its vocabulary has no words for takes it
 * time by the square of the length (65,536 units of Devanagari: 1.5 s), and some vocabularies end the process at a run of
 * some 26,000 letters (ggml-org/llama.cpp, issue 27783).
 */
const longestPiece = 4_096

/** Others get their turn after so many units. */
const unitsATurn = 4 * longestPiece

const isHighSurrogate = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xd800

/** Where a piece ends that begins at `from`: before the last blank in it, and never within a character. */
const endOf = (text: string, from: number): number => {
  const end = from + longestPiece
  if (end >= text.length) return text.length
  const blank = Math.max(text.lastIndexOf(" ", end), text.lastIndexOf("\n", end))
  if (blank > from) return blank
  return isHighSurrogate(text, end - 1) ? end - 1 : end
}

/**
 * How many tokens texts are, each by itself; counting stops once there are more than `enough`. A text is cut before
 * blanks, where tokens end anyway, so that the count is exact unless it goes on for 4,096 units without one.
 */
export const countTokens = (
  tokenize: Tokenize,
  texts: ReadonlyArray<string>,
  enough = Infinity
): Effect.Effect<number> =>
  Effect.gen(function*() {
    let tokens = 0
    let units = 0
    for (const text of texts) {
      for (let from = 0; from < text.length && tokens <= enough;) {
        const end = endOf(text, from)
        const piece = text.slice(from, end)
        tokens += (from === 0 ? tokenize(piece) : tokenize(piece, false, "trimLeadingSpace")).length
        units += piece.length
        from = end
        if (units >= unitsATurn) {
          units = 0
          yield* macroTask
        }
      }
    }
    return tokens
  })

/** Longer runs are not given to llama.cpp at once. */
const longestRun = 8_192

const runs = /[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]+/gu

/** Whether a text goes on for long with letters, digits, blanks or signs alone; see `longestPiece` for what that does. */
export const hasLongRun = (text: string): boolean => {
  if (text.length <= longestRun) return false
  for (const [run] of text.matchAll(runs)) {
    if (run.length > longestRun) return true
  }
  return false
}
