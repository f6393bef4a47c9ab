import { TokenCounter } from "@trunkline/models"
import { Effect, Layer } from "effect"
import { countTokens } from "./Counting.js"
import { type LlamaCppMissing, type ModelFile, type ModelFileUnusable, openModel } from "./OpenedModel.js"

/**
 * A `TokenCounter` with the vocabulary of a GGUF file; the weights are not loaded. Counts are exact, except that a text
 * without a space for 4,096 UTF-16 units may count one token too many for each such chunk.
 *
 * @example
 * const counter = LlamaCppTokens.layer({ file: "/models/llama-3.2-1b.gguf" })
 */
export const layer = (options: ModelFile): Layer.Layer<TokenCounter, LlamaCppMissing | ModelFileUnusable> =>
  Layer.scoped(
    TokenCounter,
    Effect.map(
      openModel(options, { vocabOnly: true }),
      ({ model }) => TokenCounter.of({ count: (text) => countTokens(model.tokenizer, [text]) })
    )
  )
