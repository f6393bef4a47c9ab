import { Array, Cause, Clock, Duration, Effect, Predicate } from "effect"

const framePattern = /^ {4}at .+(?::\d+:\d+|<anonymous>)\)?$/gm
const maxFrames = 12

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") ? String(error._tag) : error instanceof Error ? error.name : typeof error

/** Stack frames of an error, without the message at the start of its stack. */
const framesOf = (error: unknown): ReadonlyArray<string> => {
  if (!(error instanceof Error) || error.stack === undefined) return []
  const frames = error.stack.slice(error.stack.indexOf(error.message) + error.message.length)
  return Array.take(frames.match(framePattern) ?? [], maxFrames)
}

/**
 * Describes a cause for the log by the kinds of its errors and their stack frames. Messages are left out, since they may
 * repeat phone numbers, variables and other personal data (docs/decisions.md, 23).
 */
export const describeCause = (cause: Cause.Cause<unknown>): string =>
  [...Cause.failures(cause), ...Cause.defects(cause)]
    .map((error) => [nameOf(error), ...framesOf(error)].join("\n"))
    .join("\n")

/** Options of `retryForever`. */
export interface RetryForeverOptions {
  /** Log message of each failed run. Must not contain personal data. */
  readonly message: string
  /** The first delay; it doubles with each failed run. */
  readonly initialDelay: Duration.DurationInput
  /** The longest delay. */
  readonly maxDelay: Duration.DurationInput
}

/**
 * Restarts an effect that dies, for as long as it takes. A defect, such as a full disk or a locked store, is logged by
 * kind, and the effect runs again after a delay on Effect's Clock that doubles up to `maxDelay`. It begins again after a run of
 * at least `maxDelay`. Interruption ends it.
 *
 * @example
 * ```ts
 * const worker = Effect.forever(step).pipe(
 *   retryForever({ message: "A step of the worker failed", initialDelay: "1 second", maxDelay: "1 minute" })
 * )
 * ```
 */
export const retryForever =
  ({ initialDelay, maxDelay, message }: RetryForeverOptions) => <A, R>(effect: Effect.Effect<A, never, R>) => {
    const first = Duration.min(initialDelay, maxDelay)
    const run = (next: Duration.Duration): Effect.Effect<A, never, R> =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (began) =>
          Effect.catchAllCause(effect, (cause) =>
            Cause.isInterruptedOnly(cause)
              ? Effect.failCause(cause)
              : Effect.logError(message, describeCause(cause)).pipe(
                Effect.zipRight(Clock.currentTimeMillis),
                Effect.flatMap((now) => {
                  const delay = now - began >= Duration.toMillis(maxDelay) ? first : next
                  return Effect.zipRight(
                    Effect.sleep(delay),
                    Effect.suspend(() => run(Duration.min(Duration.times(delay, 2), maxDelay)))
                  )
                })
              ))
      )
    return run(first)
  }
