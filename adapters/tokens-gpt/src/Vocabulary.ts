import { Data, Effect } from "effect"

/** The vocabularies: `o200k_base` is the later one; `cl100k_base` makes three to four times as many tokens of Indian scripts. */
export type Encoding = "o200k_base" | "cl100k_base"

/** The part of a module of `gpt-tokenizer` that is used here. */
export interface Vocabulary {
  readonly countTokens: (text: string, options: { readonly disallowedSpecial: Set<string> }) => number
  readonly setMergeCacheSize: (words: number) => void
}

/** The vocabularies cannot be loaded: `gpt-tokenizer` is installed by whoever wants them. */
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
 * Words of several tokens that the package keeps, for the whole process. It would keep 100,000, each of which a hostile
 * text makes as long as a run may be.
 */
const wordsKept = 8_192

/** Loads a vocabulary, which takes up to a quarter of a second and some 70 MB. */
export const load = (
  encoding: Encoding,
  from: Readonly<Record<Encoding, () => Promise<Vocabulary>>> = modules
): Effect.Effect<Vocabulary, TokenizerMissing> =>
  Effect.tap(
    Effect.tryPromise({ try: from[encoding], catch: (cause) => new TokenizerMissing({ cause }) }),
    ({ setMergeCacheSize }) => Effect.sync(() => setMergeCacheSize(wordsKept))
  )
