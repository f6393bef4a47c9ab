import { macroTask } from "@trunkline/kernel"
import type { TokenCounter } from "@trunkline/models"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Vocabulary } from "./Vocabulary.js"

/** UTF-16 units after which a chunk ends before the next space: some milliseconds of counting, 20 for hostile text. */
const chunkUnits = 2_048

/** UTF-16 units after which a chunk ends wherever it can. */
const maxChunkUnits = chunkUnits + 512

/**
 * Longest run of code points without whitespace, or of whitespace, in a chunk: the time that a vocabulary takes for a
 * run is quadratic. Words are shorter; in scripts without spaces a cut adds at most one token.
 */
const maxRun = 128

/** Tests for whitespace as regular expressions do (`\s`), by which vocabularies separate words. */
const isWhitespace = (code: number): boolean => {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code < 0x1680) return code === 0xa0
  return code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 ||
    code === 0x202f || code === 0x205f || code === 0x3000 || code === 0xfeff
}

/**
 * Finds the end of the chunk that begins at `from`, in UTF-16 units. Chunks that end before a space have as many tokens
 * apart as together, because every word begins with the space before it.
 */
export const endOfChunk = (text: string, from: number): number => {
  let run = 0
  let inWhitespace = false
  let at = from
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const whitespace = isWhitespace(code)
    if (whitespace !== inWhitespace) {
      if (code === 0x20 && at - from >= chunkUnits) return at
      run = 0
      inWhitespace = whitespace
    }
    if (run === maxRun || at - from >= maxChunkUnits) return at
    run += 1
    at += code > 0xffff ? 2 : 1
  }
  return text.length
}

/** Texts that are cached, in UTF-16 units: shorter ones are counted quickly, longer ones take too much memory. */
const cacheable = { min: 1_024, max: 262_144 }

/** UTF-16 units of all cached texts: at most 8 MB. */
const maxCachedUnits = 4_194_304

/** Cached token counts by text. */
export interface CountCache {
  readonly get: (text: string) => number | undefined
  readonly set: (text: string, count: number) => void
}

/**
 * Makes a cache for the counts of long texts: instructions and earlier turns recur with every turn of a conversation.
 */
export const makeCountCache = (): CountCache => {
  const counts = new LRUCache<string, number>({
    maxSize: maxCachedUnits,
    maxEntrySize: cacheable.max,
    sizeCalculation: (_, text) => text.length
  })
  return {
    get: (text) => text.length < cacheable.min ? undefined : counts.get(text),
    set: (text, count) => {
      if (text.length >= cacheable.min) counts.set(text, count)
    }
  }
}

/** Special tokens of the vocabulary are counted as plain text. */
const asPlainText = { disallowedSpecial: new Set<string>() }

/** Makes a counter with a vocabulary, which counts chunk by chunk and yields to other fibers in between. */
export const makeCounter = ({ countTokens }: Vocabulary): TokenCounter["Type"] => {
  const cache = makeCountCache()

  const countChunks = (text: string) =>
    Effect.gen(function*() {
      let tokens = 0
      let from = 0
      while (from < text.length) {
        if (from > 0) yield* macroTask
        const end = endOfChunk(text, from)
        tokens += countTokens(text.slice(from, end), asPlainText)
        from = end
      }
      cache.set(text, tokens)
      return tokens
    })

  return {
    count: (text) =>
      Effect.suspend(() => {
        const hit = cache.get(text)
        return hit === undefined ? countChunks(text) : Effect.succeed(hit)
      })
  }
}
