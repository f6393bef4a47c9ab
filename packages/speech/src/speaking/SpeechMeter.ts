import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { Effect } from "effect"

/** Pays for one request by the characters of its text (specification, Credits). */
export interface SpeechMeter {
  /** Sets aside what the whole text costs. */
  readonly reserve: (characters: number) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  /** Takes what was spoken. */
  readonly settle: (characters: number) => Effect.Effect<void, BillingUnavailable>
  /** Gives back what was set aside, where nothing came of it. */
  readonly release: Effect.Effect<void>
}

/** Takes nothing. */
export const freeSpeech: SpeechMeter = {
  reserve: () => Effect.void,
  settle: () => Effect.void,
  release: Effect.void
}
