import { ModelFailed, ModelRateLimited } from "@trunkline/errors"
import type { ModelFailure } from "@trunkline/models"
import { Duration } from "effect"

/** What went wrong with an attempt: for the caller, and in a word for the log. Neither repeats what the upstream said. */
export interface Trouble {
  readonly failure: ModelFailure
  readonly note: string
}

/** An answer that makes no sense. */
export const nonsense = (note: string): Trouble => ({
  failure: new ModelFailed({ message: "The model gave an answer that makes no sense. Try again." }),
  note
})

/** An answer that ended before it was whole. */
export const brokenOff = (note: string): Trouble => ({
  failure: new ModelFailed({ message: "The model's answer broke off. Try again." }),
  note
})

/** An answer that is larger than what is taken of one. */
export const tooLarge = (limitBytes: number): Trouble => ({
  failure: new ModelFailed({ message: `The model's answer is larger than the limit of ${limitBytes} bytes` }),
  note: "too large"
})

/** Failure of a request that got no connection because others use all of them; it says nothing about the upstream. */
export const noFreeConnection: Trouble = {
  failure: new ModelRateLimited({
    message: "Too many requests wait for the model already",
    retryAfter: Duration.seconds(1)
  }),
  note: "no free connection"
}
