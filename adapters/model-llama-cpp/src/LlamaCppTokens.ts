import { TokenCounter } from "@trunkline/models"
import { Effect, Layer } from "effect"
import { countTokens } from "./Counting.js"
import type { LlamaCppMissing, ModelFileUnusable } from "./LlamaCppMissing.js"
import { type ModelFile, openModel } from "./OpenedModel.js"

/**
 * A `TokenCounter` by the vocabulary of a GGUF file, of which nothing else is loaded. Its counts are those of the model.
 * Only in a text without a blank for 4,096 UTF-16 units may each such piece add a token.
 */
export const layer = (options: ModelFile): Layer.Layer<TokenCounter, LlamaCppMissing | ModelFileUnusable> =>
  Layer.scoped(
    TokenCounter,
    Effect.map(
      openModel(options, { vocabOnly: true }),
      ({ model }) => TokenCounter.of({ count: (text) => countTokens(model.tokenizer, [text]) })
    )
  )
