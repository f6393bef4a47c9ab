import { macroTask } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Tokenize } from "./LlamaModule.js"

/**
 * Longest chunk that is tokenized at once, in UTF-16 units. Tokenizing text outside the vocabulary takes quadratic time
 * (65,536 units of Devanagari: 1.5 s), and some vocabularies crash the process at a run of some 26,000 letters
 * (ggml-org/llama.cpp, issue 27783).
 */
const maxChunk = 4_096

/** Units after which other fibers get a turn. */
const unitsPerTurn = 4 * maxChunk

const isHighSurrogate = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xd800

/** Finds the end of the chunk that begins at `from`: before its last space, and never inside a character. */
const endOf = (text: string, from: number): number => {
  const end = from + maxChunk
  if (end >= text.length) return text.length
  const space = Math.max(text.lastIndexOf(" ", end), text.lastIndexOf("\n", end))
  if (space > from) return space
  return isHighSurrogate(text, end - 1) ? end - 1 : end
}

/**
 * Counts the tokens of texts, each tokenized by itself, and stops once there are more than `enough`. Texts are split
 * before spaces, where tokens end anyway, so the count is exact unless a text has 4,096 units without a space.
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
        const chunk = text.slice(from, end)
        tokens += (from === 0 ? tokenize(chunk) : tokenize(chunk, false, "trimLeadingSpace")).length
        units += chunk.length
        from = end
        if (units >= unitsPerTurn) {
          units = 0
          yield* macroTask
        }
      }
    }
    return tokens
  })

/** Longest run of one kind of character that is tokenized at once. */
const maxRun = 8_192

const runs = /[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]+/gu

/** Checks for a long run of only letters, digits, spaces or symbols, which llama.cpp cannot tokenize safely. */
export const hasLongRun = (text: string): boolean => {
  if (text.length <= maxRun) return false
  for (const [run] of text.matchAll(runs)) {
    if (run.length > maxRun) return true
  }
  return false
}
