import { Effect, Schema } from "effect"

/**
 * Fate of the recording of a call. `kept`: both sides from the beginning to the end. `partial`: some of it, since storing it
 * failed or its process stopped. `failed`: none of it. `refused`: nobody consented, so that nothing is kept.
 */
export const RecordingResult = Schema.Struct({
  status: Schema.Literal("kept", "partial", "failed", "refused"),
  /** Why it is not whole, in words without personal data; null for `kept`. */
  reason: Schema.NullOr(Schema.String),
  /** Seconds of sound that are kept. */
  seconds: Schema.NonNegative
})
export type RecordingResult = typeof RecordingResult.Type

/** Control of the recording of a call in progress. While it does not record, silence is written, so that times stay right. */
export interface RecordingControl {
  /** Begins to record a call that waits for consent. Does nothing otherwise. */
  readonly consent: Effect.Effect<void>
  /** Writes silence from now on, on both sides, until `resume` was called as often as `pause`. */
  readonly pause: Effect.Effect<void>
  /** Records again. */
  readonly resume: Effect.Effect<void>
  /** True while sound is recorded: there is consent, and no pause. */
  readonly isOn: () => boolean
}

/** Control of a call that is not recorded. */
export const noRecording: RecordingControl = {
  consent: Effect.void,
  pause: Effect.void,
  resume: Effect.void,
  isOn: () => false
}

/**
 * Runs an effect while the recording is paused, for what must not be kept, such as the number of a card. The recording goes
 * on however the effect ends.
 *
 * @example
 * ```ts
 * const digits = unrecorded(brief.recording)(collectDigits)
 * ```
 */
export const unrecorded =
  ({ pause, resume }: Pick<RecordingControl, "pause" | "resume"> = noRecording) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(pause, () => effect, () => resume)
