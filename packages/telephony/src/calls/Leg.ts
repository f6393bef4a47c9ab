import { type Duration, type Effect, Schema } from "effect"

/** Who brought a call to its end. */
export const EndedBy = Schema.Literal("agent", "user", "provider", "timeout")
export type EndedBy = typeof EndedBy.Type

/** The line is gone: nothing more can be said or heard. */
export class LegEnded extends Schema.TaggedError<LegEnded>()("LegEnded", { by: EndedBy }) {}

/** Something the agent says. */
export interface Utterance {
  readonly text: string
  /** English name of the language, such as `Hindi`. */
  readonly language_name: string
  /** False for what the law wants heard to the end. */
  readonly interruptible: boolean
}

/** How much of an utterance reached the other side. */
export interface Spoken {
  /** The part that was heard: all of it, unless the other side spoke over it. */
  readonly heard: string
  readonly interrupted: boolean
}

/** What came from the other side while the agent listened. */
export type Heard =
  | {
    readonly _tag: "Said"
    /** In the language spoken. */
    readonly text: string
    /** In English, when it was spoken in another language. */
    readonly en_text: string | null
    readonly language_name: string | null
  }
  | { readonly _tag: "Pressed"; readonly digit: string }
  | { readonly _tag: "Silent" }

/**
 * One connected call, at the level of words: audio carriers put speech recognition and synthesis below it,
 * the simulated network speaks text directly.
 */
export interface Leg {
  /** Whether it ends by itself in time, as one without an outside does: then nobody watches over its budget. Default false. */
  readonly prompt?: boolean
  /**
   * Speaks; completes when it was heard to the end or cut off. When the line ends in the middle, this still tells what
   * was heard, and the next call fails.
   */
  readonly say: (utterance: Utterance) => Effect.Effect<Spoken, LegEnded>
  /** Waits for the other side; `Silent` after `silence` of business time without a word. */
  readonly listen: (silence: Duration.Duration) => Effect.Effect<Heard, LegEnded>
  /** Ends the call from the agent's side; harmless when it has ended already. */
  readonly hangUp: Effect.Effect<void>
}
