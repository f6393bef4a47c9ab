import { Cause, Duration, Effect } from "effect"
import { describeCause } from "./DescribeCause.js"

/** How work that stumbles is taken up again. */
export interface SteadilyOptions {
  /** What the log says each time; never a person's data. */
  readonly message: string
  /** The first pause; it doubles each time. */
  readonly first: Duration.DurationInput
  /** The longest pause. */
  readonly longest: Duration.DurationInput
}

/**
 * Work that does not give up: a defect (a full disk, a store that is locked) is logged by its kind, and the work begins
 * again after a pause in technical time. Interruption ends it.
 */
export const steadily = ({ first, longest, message }: SteadilyOptions) => <A, R>(work: Effect.Effect<A, never, R>) => {
  const from = (pause: Duration.Duration): Effect.Effect<A, never, R> =>
    Effect.catchAllCause(work, (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError(message, describeCause(cause)).pipe(
          Effect.zipRight(Effect.sleep(pause)),
          Effect.zipRight(Effect.suspend(() => from(Duration.min(Duration.times(pause, 2), longest))))
        ))
  return from(Duration.min(first, longest))
}
