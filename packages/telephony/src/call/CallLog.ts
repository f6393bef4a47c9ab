import type { Effect } from "effect"

/**
 * Log of a call that may outlive its process: texts in the form of their writer. What must not happen twice is kept before it
 * happens, so that a process that goes on with the call knows what may have been done.
 */
export interface CallLog {
  /** Texts that earlier processes have kept of this call, in order; empty for a call that begins. */
  readonly past: ReadonlyArray<string>
  /** Adds a text, which is stored at once. */
  readonly note: (text: string) => void
  /**
   * Adds a text and completes when it is stored, with all that was noted before. After two seconds it completes in any case,
   * so that a database that is away does not silence the call.
   */
  readonly keep: (text: string) => Effect.Effect<void>
  /** Runs an effect before whose end the call is not left to another process, unless that takes more than 10 seconds. */
  readonly stay: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** An utterance that an earlier process has begun on a leg that outlives its process. */
export interface BegunUtterance {
  /** The text that was given to the other side, and may have been spoken. */
  readonly text: string
  /** True when nothing more was to follow. */
  readonly isComplete: boolean
}

/** Place in a conversation at which a leg goes on. */
export interface ResumePlace {
  /** Number of words and keys that the conversation has taken from the leg. */
  readonly inputs: number
  /** Number of the utterance that may have been begun. */
  readonly utterance: number
}

/** Part of a leg with which its call can go on in another process. */
export interface LegContinuity {
  /** Gives the leg its log, before anything is said. Until then it keeps what it hears for later. */
  readonly keepIn: (log: CallLog) => void
  /** Goes on at a place in the past of the log; null where the utterance of the place was not begun. */
  readonly resume: (place: ResumePlace) => BegunUtterance | null
  /**
   * Leaves the call to the process to which its provider turns next. Completes when nothing more arrives here. From then on
   * nothing is said or heard on the leg, and hanging up does nothing.
   */
  readonly leave: Effect.Effect<void>
}
