import { TokenCounter } from "@trunkline/models"
import { Effect, Layer } from "effect"
import { makeCounter } from "./Counter.js"
import { type Encoding, load, type TokenizerMissing } from "./Vocabulary.js"

/**
 * Counts as the GPT vocabularies do; `o200k_base` unless told. Counts are exact but for a token here and there in runs
 * of more than 128 characters without a blank and in long texts without a space, which are cut. The counts of texts from
 * 1,024 to 262,144 UTF-16 units are remembered with the texts, the latest 8 MB of them.
 *
 * The optional package `gpt-tokenizer` is loaded when the layer is built, not when this module is, which takes up to a
 * quarter of a second; without it the layer fails with `TokenizerMissing`.
 */
export const layer = (
  { encoding = "o200k_base" }: { readonly encoding?: Encoding } = {}
): Layer.Layer<TokenCounter, TokenizerMissing> => Layer.effect(TokenCounter, Effect.map(load(encoding), makeCounter))
