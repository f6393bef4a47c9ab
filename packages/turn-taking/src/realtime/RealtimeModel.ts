import type { ServiceUsage } from "@trunkline/kernel"
import type { Message, ModelFailure, ModelTool, ToolRequest } from "@trunkline/models"
import { Context, type Effect, Layer, type Scope } from "effect"

/** Instructions and tools of the agent that has the call. */
export interface RealtimeSetup {
  readonly instructions: string
  readonly tools: ReadonlyArray<ModelTool>
}

/** Words that a session says exactly, and the English name of their language. */
export interface ExactWords {
  readonly text: string
  readonly language_name: string
}

/**
 * Command to a session. Answers have numbers of ours, so that late events of one that was cancelled are told apart. A *duplex* model
 * answers by itself: it takes `Configure`, `Add` and `Comment`, and does nothing on the others, as a *turned* one on `Comment`.
 */
export type RealtimeCommand =
  /** Instructions and tools from now on. */
  | { readonly _tag: "Configure"; readonly setup: RealtimeSetup }
  /** Adds messages that the session has neither heard nor said: results of tools, keys, and notes. */
  | { readonly _tag: "Add"; readonly messages: ReadonlyArray<Message> }
  /** Asks for an answer to the conversation; with `words`, for these, which are no part of it. */
  | { readonly _tag: "Respond"; readonly reply: number; readonly words: ExactWords | null }
  /** Stops an answer that is still made. */
  | { readonly _tag: "Cancel"; readonly reply: number }
  /** Forgets what was not heard of an answer: all but so many milliseconds of its sound. */
  | { readonly _tag: "Truncate"; readonly reply: number; readonly heardMillis: number }
  /** Gives a duplex model a text to say in its own words: the answer to a delegation, or without one words of ours. */
  | { readonly _tag: "Comment"; readonly delegation: string | null; readonly text: string }

/**
 * Event of a session. A duplex model tells `CallerText`, `Sound`, `Text`, `Delegated`, `Used` and `Ended`; its answers have the
 * number 0.
 */
export type RealtimeEvent =
  /** The caller begins to speak. */
  | { readonly _tag: "VoiceBegan" }
  /** The caller's turn is over: their voice ended so many milliseconds ago. `Words` follow. */
  | { readonly _tag: "VoiceEnded"; readonly silentMillis: number }
  /**
   * Words of the caller's turn so far, or all of them. Final ones come once for each turn that has ended: empty when nothing was
   * said, null when the words are not known though something was said.
   */
  | { readonly _tag: "Words"; readonly text: string | null; readonly isFinal: boolean }
  /** Sound of an answer, at the rate of the session; the array must not change afterwards. */
  | { readonly _tag: "Sound"; readonly reply: number; readonly samples: Float32Array }
  /** Words of an answer, as they are written; they may be ahead of its sound. */
  | { readonly _tag: "Text"; readonly reply: number; readonly text: string }
  /** A tool that an answer wants to use, with all its arguments. */
  | { readonly _tag: "ToolCall"; readonly reply: number; readonly request: ToolRequest }
  /** An answer is complete, or was cancelled. */
  | { readonly _tag: "Responded"; readonly reply: number }
  /** An answer failed; the session goes on. */
  | { readonly _tag: "Refused"; readonly reply: number; readonly failure: ModelFailure }
  /** Words of the caller as a duplex model hears them, with their spaces; they ended so many milliseconds ago. */
  | { readonly _tag: "CallerText"; readonly text: string; readonly agoMillis: number }
  /** A duplex model asks the agent to answer or to act on what the caller has said. */
  | { readonly _tag: "Delegated"; readonly id: string }
  /** Quantities of its provider's service that the session has used. */
  | { readonly _tag: "Used"; readonly usage: ReadonlyArray<ServiceUsage> }
  /** The session is over: it has reached its longest time, or broke. It is the last event. */
  | { readonly _tag: "Ended"; readonly failure: ModelFailure }

/** A session of a model that hears and speaks. Both methods are synchronous, never throw, and do nothing after its end. */
export interface RealtimeSession {
  /** Moment at which the provider ends it, in epoch milliseconds by Effect's clock; null when it does not tell. */
  readonly expiresAt: number | null
  /** Adds sound of the caller: mono samples from -1 to 1, of any number. The array may be reused afterwards. */
  readonly push: (samples: Float32Array) => void
  readonly send: (command: RealtimeCommand) => void
}

/** Beginning of a session. */
export interface RealtimeOpening {
  /** Samples a second in both directions. */
  readonly rate: number
  readonly setup: RealtimeSetup
  /** The conversation before it, of a call that goes on in another session. */
  readonly history: ReadonlyArray<Message>
  /** Takes events, one at a time and in order; must not throw. */
  readonly onEvent: (event: RealtimeEvent) => void
}

export declare namespace RealtimeModel {
  /** A model that hears the caller and speaks to them. */
  export interface Service {
    /**
     * Side that decides. `turned`: we ask for each answer, cancel it and cut it. `duplex`: the model talks by itself, nothing is
     * cancelled, and the agent answers what it delegates. Default: `turned`.
     */
    readonly shape?: "turned" | "duplex"
    /** Opens a session for the duration of the scope. */
    readonly open: (opening: RealtimeOpening) => Effect.Effect<RealtimeSession, ModelFailure, Scope.Scope>
  }
}

/**
 * Port of a model that hears and speaks, in place of the chain of listener, language model and synthesizer: sound in; sound, words
 * and tool calls out. A turned one hears when the caller's turn is over, and answers when it is asked to. None unless one is provided: the
 * chain holds the calls. With one, the chain takes over the calls that it fails in.
 *
 * @example
 * ```ts
 * const engine = Layer.provide(layerSqlite(options), ModelRealtime.layer({ url: "wss://api.openai.com/v1/realtime", apiKey }))
 * ```
 */
export class RealtimeModel extends Context.Reference<RealtimeModel>()("@trunkline/turn-taking/RealtimeModel", {
  defaultValue: (): RealtimeModel.Service | null => null
}) {
  /** The layer of a model. */
  static readonly layerOf = (model: RealtimeModel.Service): Layer.Layer<never> => Layer.succeed(this, model)
}
