import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { Effect } from "effect"
import type { SpeechFailure } from "../Synthesizer.js"

/** Charges one request by the characters of its text: `reserve` first, then either `settle` or `release`. */
export interface SpeechMeter {
  /** Reserves the price of the whole text. */
  readonly reserve: (characters: number) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  /** Charges the characters that were spoken. */
  readonly settle: (characters: number) => Effect.Effect<void, BillingUnavailable>
  /** Returns the reservation when nothing is charged. */
  readonly release: Effect.Effect<void>
}

/** Meter that charges nothing. */
export const unmeteredSpeech: SpeechMeter = {
  reserve: () => Effect.void,
  settle: () => Effect.void,
  release: Effect.void
}

/** Errors of a metered speech: those of the engine, and of billing. */
export type SpeechRequestFailure = SpeechFailure | InsufficientCredits | BillingUnavailable

/** Charges work after it succeeds; a failure or an interruption costs nothing. */
export const payAfter = <A, E>(meter: SpeechMeter, characters: number, work: Effect.Effect<A, E>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(
      meter.reserve(characters),
      Effect.onError(Effect.zipLeft(restore(work), meter.settle(characters)), () => meter.release)
    )
  )
