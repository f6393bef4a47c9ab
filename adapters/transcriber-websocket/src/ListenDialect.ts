import type { LanguageCode } from "@trunkline/spoken-text"
import type { Duration, Redacted } from "effect"

/** Input of a dialect for one connection. */
export interface ListenRequest {
  /** Address of the server, as in the options. */
  readonly url: URL
  /** Sample rate in hertz. */
  readonly rate: number
  /** The spoken language; null when unknown. */
  readonly language: LanguageCode | null
  /** Key of the server; null when the options have none. */
  readonly apiKey: Redacted.Redacted | null
}

/** The beginning of a connection. */
export interface ListenOpening {
  /** Address with the query that the server needs. */
  readonly url: URL
  /** Headers of the request, such as `Authorization`. */
  readonly headers: Readonly<Record<string, string>>
  /** Messages to send before the sound. */
  readonly messages: ReadonlyArray<string>
}

/** A message of the server. */
export type ServerReply =
  /** Recognized words. */
  | {
    readonly _tag: "Words"
    /** Words of a segment; empty when nothing was said. */
    readonly text: string
    /** True when they no longer change. A segment that is not final replaces the one before, if that was not final. */
    readonly isFinal: boolean
    /** Seconds of the connection's sound up to which they were recognized; null when the message does not say. */
    readonly until: number | null
    /** True for the answer to `flush`. */
    readonly isFlushed: boolean
  }
  /** A message that needs no action. */
  | { readonly _tag: "Notice" }
  /** An error report; the connection is given up. */
  | { readonly _tag: "Failed" }

/**
 * The protocol of one kind of streaming speech-to-text server, as data and pure functions. Sound is sent as binary
 * messages of 16 bit little-endian mono PCM. Implement it for other servers.
 *
 * @example
 * ```ts
 * const mine: ListenDialect = {
 *   name: "mine",
 *   packet: "40 millis",
 *   open: ({ url, rate }) => ({ url, headers: {}, messages: [JSON.stringify({ rate })] }),
 *   flush: () => "flush",
 *   keepAlive: null,
 *   closing: "bye",
 *   answersEach: false,
 *   read: (text) => ({ _tag: "Words", text, isFinal: true, until: null, isFlushed: true }),
 *   mayReconnect: () => true
 * }
 * ```
 */
export interface ListenDialect {
  /** Name of the server in logs. */
  readonly name: string
  /** Sound that is collected for one message. */
  readonly packet: Duration.DurationInput
  /** Makes the address, the headers and the first messages of a connection. */
  readonly open: (request: ListenRequest) => ListenOpening
  /** Makes the message that asks for the final words of the sound before it; bytes are sound, text is a command. */
  readonly flush: (request: { readonly rate: number }) => string | Uint8Array
  /** Message that keeps a connection open while no sound is sent, and its interval; null when none is needed. */
  readonly keepAlive: { readonly message: string; readonly every: Duration.DurationInput } | null
  /** Message that ends the stream before the connection is closed. */
  readonly closing: string
  /**
   * True when the server answers each message after the first ones exactly once and in order, so that counting tells
   * which sound an answer covers; `until` and `isFlushed` of replies are then ignored.
   */
  readonly answersEach: boolean
  /** Reads a message of the server; null when it is malformed or unknown. */
  readonly read: (text: string) => ServerReply | null
  /** True when another connection may help after the server closed this one. */
  readonly mayReconnect: (closing: { readonly code: number; readonly reason: string }) => boolean
}
