import { Duration } from "effect"
import type { ModelFailure } from "../LanguageModel.js"

/** How long a model that failed asks to be left alone, in milliseconds; null where it does not say. */
export const askedWait = (failure: ModelFailure): number | null =>
  "retryAfter" in failure && failure.retryAfter !== undefined ? Duration.toMillis(failure.retryAfter) : null
