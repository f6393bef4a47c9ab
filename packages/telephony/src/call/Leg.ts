import type { AppId, TurnEnd } from "@trunkline/kernel"
import { type Duration, type Effect, Schema, type Stream } from "effect"
import type { AnswerSense } from "./AnswerVerdict.js"
import type { LegContinuity } from "./CallLog.js"
import type { ReferRequest, ReferResult, TransferRequest, TransferResult } from "./Transfer.js"

/** The side that ended a call. */
export const EndedBy = Schema.Literal("agent", "user", "provider", "timeout")
export type EndedBy = typeof EndedBy.Type

/** The call has ended; nothing more can be said or heard. */
export class LegEnded extends Schema.TaggedError<LegEnded>()("LegEnded", { by: EndedBy }) {}

/** Trouble of a line, for the record of its call. */
export interface LineTrouble {
  /** Text for `failure_reason`: name of the provider, colon, reason. */
  readonly reason: string
  /** The call never came about: it counts as an error of the provider, not as connected. */
  readonly isFailed: boolean
}

/** Text spoken by the agent. */
export interface Utterance {
  readonly text: string
  /** Clauses that follow the text as they are made; it never fails. Only for legs with `streams`. */
  readonly more?: Stream.Stream<string>
  /** English name of the language, such as `Hindi`. */
  readonly language_name: string
  /** False for text that must be heard to the end, such as legal notices. */
  readonly interruptible: boolean
  /** Told what was heard so far after each clause, by legs that know it. */
  readonly onHeard?: (heardText: string) => void
  /** Number in its call, by which a leg with `continuity` finds what an earlier process has said of it. */
  readonly number?: number
}

/** Result of speaking: how much of an utterance the other side heard. */
export interface Spoken {
  /** The part that was heard; all of it unless the other side interrupted. */
  readonly heard: string
  readonly interrupted: boolean
  /** True when the utterance could not be spoken to the end because the voice failed. Absent: false. */
  readonly failed?: boolean
  /** Why the voice failed, without secrets and personal data; absent where it is not known. */
  readonly reason?: string
  /** The side that ended the call before the utterance was over; absent while the call goes on. */
  readonly endedBy?: EndedBy
  /** First sound of the utterance, in epoch milliseconds of business time; absent on legs without sound. */
  readonly startedAt?: number
}

/** Words of a voice that talks by itself, as they were heard. */
export interface OwnReply {
  readonly text: string
  /** First sound, in epoch milliseconds of business time. */
  readonly startedAt: number
}

/** Input from the other side while the agent listened. */
export type Heard =
  | {
    readonly _tag: "Said"
    /** In the spoken language. */
    readonly text: string
    /** English translation when another language was spoken. */
    readonly en_text: string | null
    readonly language_name: string | null
    /** Last voice of the turn, in epoch milliseconds of business time; absent on legs without sound. */
    readonly endedAt?: number
    /** Tells why the turn ended; null while it goes on. Absent on legs without sound. */
    readonly turnEnd?: () => TurnEnd | null
    /**
     * Words with which the voice of the leg went on by itself after these, which may be none; null when it asks the agent to act on
     * them, or on those before. Absent on legs whose voice says only what the agent says.
     */
    readonly ownReply?: OwnReply | null
  }
  /** One or more keys (`0` to `9`, `*`, `#`, `A` to `D`), pressed one after the other. */
  | {
    readonly _tag: "Pressed"
    readonly digit: string
    /** Tells why the entry ended; absent on legs without sound. */
    readonly turnEnd?: () => TurnEnd | null
  }
  | { readonly _tag: "Silent" }
  /** Something was said, and the transcriber could not tell the words; the reason is without personal data. */
  | { readonly _tag: "Unheard"; readonly reason?: string }

/** The version of an agent that goes on with a call. */
export interface SpeakingAgent {
  readonly app_id: AppId
  readonly app_version: number
}

/**
 * One connected call, at the level of text. `Voicing` makes one of an `AudioLine`; the simulated network speaks text
 * directly (docs/decisions.md, 3).
 */
export interface Leg {
  /** True when the leg always ends by itself in time, so that no limits are enforced on it; default false. */
  readonly immediate?: boolean
  /** True when the leg begins to speak an utterance whose end is not known yet; default false. */
  readonly streams?: boolean
  /**
   * Speaks; completes when the utterance was heard to the end or was interrupted. When the call ends in the middle, this
   * still reports what was heard, with `endedBy`, and the next operation fails.
   */
  readonly say: (utterance: Utterance) => Effect.Effect<Spoken, LegEnded>
  /**
   * Waits for input from the other side; returns `Silent` after `silence` of business time without any. What a leg with sound
   * has heard is given also after the end of the call.
   */
  readonly listen: (silence: Duration.Duration) => Effect.Effect<Heard, LegEnded>
  /**
   * Completes when the other side goes on after words that `listen` has returned, before any sound of the answer: the
   * answer should be given up, and the words of the next `listen` belong to the same turn.
   */
  readonly goesOn?: Effect.Effect<void>
  /** Completes when the call has ended, with its side; absent on legs that only operations tell the end of. */
  readonly ended?: Effect.Effect<EndedBy>
  /** Party that answered the call, by its sound; absent on legs without sound, and where nobody has asked. */
  readonly answer?: AnswerSense
  /** True while the other side holds the call, which is no idleness; default false. */
  readonly isHeld?: () => boolean
  /**
   * Told when what the caller enters begins to be secret, such as the number of a card, and when that is over. Meanwhile
   * watchers are told no keys and no words, and recordings should pause. Absent: nobody needs to know.
   */
  readonly secrecy?: (isSecret: boolean) => Effect.Effect<void>
  /** Takes the voice of another agent for what is said from now on; absent on legs without voices of agents. */
  readonly speakAs?: (agent: SpeakingAgent) => Effect.Effect<void>
  /**
   * Told the phrases of which the next words of the other side are likely to contain one, when they change; none where nothing
   * particular is expected. Absent on legs whose ear takes no hints.
   */
  readonly expect?: (phrases: ReadonlyArray<string>) => Effect.Effect<void>
  /** Told the instructions of the agent when they change; absent on legs whose voice says only what the agent says. */
  readonly instruct?: (instructions: string) => Effect.Effect<void>
  /** Lets the call go on in another process after this one has stopped; absent where the call ends with its process. */
  readonly continuity?: LegContinuity
  /** Trouble of the call, read at its end; null, or absent, without any. */
  readonly trouble?: () => LineTrouble | null
  /** Sends keys (`0` to `9`, `*`, `#`, `A` to `D`) to the other side; absent where the line cannot. */
  readonly press?: (digits: string) => Effect.Effect<void>
  /** Verdict of the provider about who has answered; null, or absent, without one. */
  readonly answeredBy?: () => "person" | "machine" | null
  /** Asks the provider to connect the call with an address in our place; absent where the line cannot. */
  readonly refer?: (request: ReferRequest) => Effect.Effect<ReferResult>
  /**
   * Connects the other side with that of another leg of the same carrier, and completes when one of them has ended; absent for
   * legs whose provider cannot. Lines with sound need none.
   */
  readonly join?: (other: Leg) => Effect.Effect<void>
  /** Transfers the call, by the means that its line has; absent where it has none. When it succeeds, hanging up ends nothing. */
  readonly transfer?: (request: TransferRequest) => Effect.Effect<TransferResult>
  /** Hangs up on the agent's side. Idempotent. */
  readonly hangUp: Effect.Effect<void>
}
