import { Duration } from "effect"
import type { ModelFailure } from "../LanguageModel.js"

/** The `retryAfter` of a failure in milliseconds; null where it has none. */
export const askedWait = (failure: ModelFailure): number | null =>
  "retryAfter" in failure && failure.retryAfter !== undefined ? Duration.toMillis(failure.retryAfter) : null
