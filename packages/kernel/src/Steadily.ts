import { Cause, type Duration, Effect, Schedule } from "effect"
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
export const steadily = ({ first, longest, message }: SteadilyOptions) => <A, R>(work: Effect.Effect<A, never, R>) =>
  work.pipe(
    Effect.sandbox,
    Effect.tapError((cause) =>
      Cause.isInterrupted(cause) ? Effect.void : Effect.logError(message, describeCause(cause))
    ),
    Effect.retry({
      while: (cause) => !Cause.isInterrupted(cause),
      schedule: Schedule.union(Schedule.exponential(first), Schedule.spaced(longest))
    }),
    Effect.unsandbox
  )
