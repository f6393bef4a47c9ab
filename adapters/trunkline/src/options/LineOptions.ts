import type { Connection } from "../generated/Resources.js"

/** A call to place. */
export interface CallRequest {
  /** Id of the attempt: pass it on as idempotency key where the provider has one. */
  readonly attempt_id: string
  readonly from: string
  readonly to: string
  /** Maximum ringing time in seconds. */
  readonly ring_seconds: number
  readonly connection: Connection
  /** Aborts when the call is no longer wanted. */
  readonly signal: AbortSignal
}

/**
 * A connected call, at the level of text. Its methods reject with a `CallHungUp` once the call has ended. Any other rejection
 * ends it, too, and is reported to `onError` unless the call had ended before.
 */
export interface PlainLeg {
  /** Speaks a text. Resolves when it was heard to the end or was interrupted, with the part that was heard. */
  readonly say: (utterance: {
    readonly text: string
    /** English name of the language. */
    readonly language_name: string
    readonly interruptible: boolean
  }) => Promise<{ readonly heard: string; readonly interrupted: boolean } | void>
  /** Waits for what the other side says or presses; resolves with null after `silence_seconds` without either. */
  readonly listen: (options: {
    readonly silence_seconds: number
    readonly signal: AbortSignal
  }) => Promise<
    | { readonly text: string; readonly en_text?: string; readonly language_name?: string }
    | { readonly digit: string }
    | null
  >
  /** Hangs up. May be called again. */
  readonly hangUp: () => Promise<void>
}

/** A call that the provider has accepted. */
export interface PlainCall {
  readonly provider_call_id: string
  /**
   * Resolves with the connected call. Rejects with a `CallRejected` when the call will not be answered; any other
   * rejection counts as an error of the provider.
   */
  readonly answered: Promise<PlainLeg>
  /** Stops ringing or hangs up. May be called again. */
  readonly cancel: () => Promise<void>
}

/** An incoming call. */
export interface PlainOffer {
  readonly provider_call_id: string
  readonly from: string
  /** Number of ours that was dialled. */
  readonly to: string
  readonly accept: () => Promise<PlainLeg>
  readonly reject: (reason: string) => Promise<void>
}

/** A telephony provider as an object with asynchronous methods. */
export interface PlainCarrier {
  /** Transport of the audio, in records of calls; `custom` by default. */
  readonly protocol?: string
  /**
   * Asks the provider to dial; resolves when it has accepted the call. After a rejection it is unknown whether the
   * provider has dialled, unless it is a `CallRejected`.
   */
  readonly place: (call: CallRequest) => Promise<PlainCall>
  /** Ends a call by its provider id; calls of a process that died are ended by it. */
  readonly end?: (provider_call_id: string) => Promise<void>
  /** Calls that come in, as they come. */
  readonly offers?: () => AsyncIterable<PlainOffer>
}

const statuses: ReadonlyArray<string> = ["busy", "no_answer", "failed", "provider_error"]

/** A call was not placed or not answered, and why. Thrown by carriers. */
export class CallRejected extends Error {
  override readonly name = "CallRejected"

  constructor(
    readonly status: "busy" | "no_answer" | "failed" | "provider_error",
    reason = ""
  ) {
    super(reason)
    if (!statuses.includes(status)) {
      throw new TypeError(`CallRejected: the status is one of ${statuses.join(", ")}, not "${status}"`)
    }
  }
}

/** A connected call has ended, and who has ended it. Thrown by the methods of a connected call. */
export class CallHungUp extends Error {
  override readonly name = "CallHungUp"

  constructor(readonly by: "user" | "provider" = "user") {
    super(`The call has ended: ${by} hung up`)
  }
}

/**
 * A call for which nothing was sent, since the carrier could not for now. Thrown by `place`. It is no attempt: nobody was called,
 * it waits, and its line rests for a number of seconds, 5 by default.
 */
export class CallNotSent extends Error {
  override readonly name = "CallNotSent"

  constructor(reason: string, readonly retryAfterSeconds = 5) {
    super(reason)
  }
}

/**
 * A phone line: a connection of the simulated network (`simulator`), of the HTTP protocol (`http`), of a SIP trunk or a PBX
 * (`sip`), of a hosted provider such as `twilio` (docs/providers.md), or of a carrier.
 */
export interface Line extends Connection {
  /** The provider of the line, where it is none of those that are built in. Lines may share one. */
  readonly carrier?: PlainCarrier
}
