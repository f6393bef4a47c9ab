import { Data, Effect } from "effect"

/**
 * Name of a vocabulary. `o200k_base` is newer; `cl100k_base` needs three to four times as many tokens for Indian
 * scripts.
 */
export type Encoding = "o200k_base" | "cl100k_base"

/** The part of a `gpt-tokenizer` module that this package uses. */
export interface Vocabulary {
  readonly countTokens: (text: string, options: { readonly disallowedSpecial: Set<string> }) => number
  readonly setMergeCacheSize: (words: number) => void
}

/** Failure because the optional package `gpt-tokenizer` is not installed. */
export class TokenizerMissing extends Data.TaggedError("TokenizerMissing")<{ readonly cause: unknown }> {
  override get message() {
    return "The package gpt-tokenizer could not be loaded. Install it: npm install gpt-tokenizer@4"
  }
}

const modules: Readonly<Record<Encoding, () => Promise<Vocabulary>>> = {
  o200k_base: () => import("gpt-tokenizer/encoding/o200k_base"),
  cl100k_base: () => import("gpt-tokenizer/encoding/cl100k_base")
}

/**
 * Words of several tokens that `gpt-tokenizer` caches for the whole process. Its default is 100,000, which hostile
 * texts could fill with long words.
 */
const maxCachedWords = 8_192

/** Loads a vocabulary. Takes up to a quarter of a second and some 70 MB. */
export const load = (
  encoding: Encoding,
  from: Readonly<Record<Encoding, () => Promise<Vocabulary>>> = modules
): Effect.Effect<Vocabulary, TokenizerMissing> =>
  Effect.tap(
    Effect.tryPromise({ try: from[encoding], catch: (cause) => new TokenizerMissing({ cause }) }),
    ({ setMergeCacheSize }) => Effect.sync(() => setMergeCacheSize(maxCachedWords))
  )
