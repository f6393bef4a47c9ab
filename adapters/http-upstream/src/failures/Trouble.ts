import { ModelFailed, type ModelRateLimited, ModelTimedOut, type ModelUnavailable } from "@trunkline/errors"
import { Duration } from "effect"
import type { Millis, Phase } from "../Timeouts.js"

/** How a server fails us. No message repeats what the server said: that may hold texts and keys. */
export type UpstreamFailure = ModelUnavailable | ModelFailed | ModelRateLimited | ModelTimedOut

/** What went wrong with a try: for the caller, and in a word for the log. */
export interface Trouble {
  readonly failure: UpstreamFailure
  readonly note: string
  /** After which pause another try may go well, as long as nothing has arrived; null where none would. */
  readonly again: Duration.Duration | null
}

/** The pause before another try where the server asks for none. */
export const usualPause = Duration.millis(250)

/** An answer that makes no sense. `who` is what is at the other end, such as "speech server". */
export const nonsense = (who: string, note: string): Trouble => ({
  failure: new ModelFailed({ message: `The ${who} gave an answer that makes no sense. Try again.` }),
  note,
  again: null
})

/** An answer that ended before it was whole. */
export const brokenOff = (who: string, note: string): Trouble => ({
  failure: new ModelFailed({ message: `The ${who}'s answer broke off. Try again.` }),
  note,
  again: usualPause
})

/** An answer that is larger than what is taken of one. */
export const tooLarge = (who: string): Trouble => ({
  failure: new ModelFailed({ message: `The ${who}'s answer is too large` }),
  note: "too large",
  again: null
})

const lacking: Readonly<Record<Phase, string>> = {
  connect: "it was not connected",
  firstByte: "its answer did not begin",
  betweenBytes: "its answer did not go on",
  total: "its answer was not whole"
}

/** A part that took too long. */
export const timedOut = (who: string, phase: Phase, millis: Millis): Trouble => ({
  failure: new ModelTimedOut({
    message: `The ${who} took too long: ${lacking[phase]} within ${Duration.format(millis[phase])}`
  }),
  note: `timeout of ${phase}`,
  again: null
})
