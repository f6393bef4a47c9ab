import { TokenCounter } from "@trunkline/models"
import { Effect, Layer } from "effect"
import { makeCounter } from "./Counter.js"
import { type Encoding, load, type TokenizerMissing } from "./Vocabulary.js"

/**
 * A `TokenCounter` with a GPT vocabulary; by default `o200k_base`. Counts are exact, except that a token may be added
 * here and there where a text is cut: in runs of more than 128 characters without whitespace, and in long texts without
 * a space. Counts of texts from 1,024 to 262,144 UTF-16 units are cached with the texts, up to 8 MB.
 *
 * The optional package `gpt-tokenizer` is loaded when the layer is built, which takes up to a quarter of a second;
 * without the package the layer fails with `TokenizerMissing`.
 *
 * @example
 * const counter = TokensGpt.layer({ encoding: "cl100k_base" })
 */
export const layer = (
  { encoding = "o200k_base" }: { readonly encoding?: Encoding } = {}
): Layer.Layer<TokenCounter, TokenizerMissing> => Layer.effect(TokenCounter, Effect.map(load(encoding), makeCounter))
