import type { AnsweredBy } from "@trunkline/kernel"
import type { Effect } from "effect"
import type { EndedBy, Leg, LineTrouble } from "./Leg.js"
import type { ReferRequest, ReferResult } from "./Transfer.js"

/** Event of a line with sound. */
export type LineEvent =
  /**
   * The other side's sound for the next 20 ms of line time: mono samples from -1 to 1. A concealed frame fills the gap of
   * a lost packet. The array may be reused after the listener returns.
   */
  | { readonly _tag: "Frame"; readonly samples: Float32Array; readonly concealed: boolean }
  | { readonly _tag: "Pressed"; readonly digit: string }
  /** The other side holds the call, or goes on. No sound passes while it holds. */
  | { readonly _tag: "Held"; readonly on: boolean }
  /** The carrier tells who has answered. */
  | { readonly _tag: "AnsweredBy"; readonly answered_by: AnsweredBy }
  /** All sound up to a mark was played. */
  | { readonly _tag: "Reached"; readonly mark: number }
  /** The call has ended. It is the last event. */
  | { readonly _tag: "Ended"; readonly by: EndedBy }

/** Both sides of a line with 8,000 samples a second as codes of ITU-T G.711, mu-law, as they pass. */
export interface SoundTap {
  /**
   * Passes on what has passed since the last time, in order and in parts: a code of the other side and one of ours, as it was
   * sent, for each sample that a frame has brought. A part is valid only during the call. Codes of some seconds are kept: what
   * waits for longer is silence.
   */
  readonly read: (onCodes: (codes: Uint8Array) => void) => void
}

/**
 * One connected call at the level of sound. The line's driver keeps the clock: it gives a frame for every 20 ms of the
 * call, and plays what it is given at that pace. Operations are plain functions, since there are fifty frames a second.
 */
export interface AudioLine {
  readonly _tag: "AudioLine"
  /** Sample rate in both directions, in hertz. */
  readonly rate: number
  /**
   * Sets the listener. It gets all events from now on, one at a time and in order, and at once `Ended` when the call has
   * ended before. It must not throw.
   */
  readonly hear: (listener: (event: LineEvent) => void) => void
  /**
   * Appends sound to play: mono samples from -1 to 1, which must not change afterwards. `Reached` with the mark follows
   * once they and all sound before them were played. Does nothing after the end of the call; samples that are not finite
   * are played as silence.
   */
  readonly play: (samples: Float32Array, mark?: number) => void
  /**
   * Stops the sound and drops what was not played, with its marks. Returns the number of samples that were played of those
   * given since the last clear, also after the end of the call: what was heard until then is part of its transcript.
   */
  readonly clear: () => number
  /** Taps the line from now on, in place of an earlier tap; absent where it has no codes of both sides at hand. */
  readonly tap?: () => SoundTap
  /** Sends keys (`0` to `9`, `*`, `#`, `A` to `D`) to the other side. Other characters are ignored. */
  readonly press: (digits: string) => Effect.Effect<void>
  /** Verdict of the provider about who has answered; null, or absent, without one. */
  readonly answeredBy?: () => "person" | "machine" | null
  /** Asks the provider to connect the call with an address in our place; absent where the line cannot. */
  readonly refer?: (request: ReferRequest) => Effect.Effect<ReferResult>
  /** Text by which `refer` of another line takes this call over; absent where the line cannot. */
  readonly replaces?: () => string
  /** Hangs up on the agent's side. Idempotent. */
  readonly hangUp: Effect.Effect<void>
  /** Text by which `release` of the carrier in a later process hangs up; absent where the carrier has no `release`. */
  readonly signalling?: () => string
  /** Trouble of the call so far, read when it has ended; null without any. */
  readonly trouble?: () => LineTrouble | null
}

/** Returns true for a line with sound. */
export const isAudioLine = (answered: Leg | AudioLine): answered is AudioLine => "_tag" in answered
