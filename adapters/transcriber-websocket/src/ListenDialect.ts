import type { FaultReader, ProviderFault } from "@trunkline/http-client"
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
    /** Name of the segment, for servers that may answer flushes out of order. */
    readonly id?: string | undefined
  }
  /** Words that continue the segment that is not final yet. */
  | { readonly _tag: "Delta"; readonly text: string; readonly id?: string | undefined }
  /** The name that the server gives to the oldest flush that has none. */
  | { readonly _tag: "Named"; readonly id: string }
  /** A message that needs no action. */
  | { readonly _tag: "Notice" }
  /** An error report; the connection is given up. With a fault that lasts, there is no other one. */
  | { readonly _tag: "Failed"; readonly fault?: ProviderFault }

/**
 * The protocol of one kind of streaming speech-to-text server, as data and pure functions. Sound is 16 bit little-endian mono
 * PCM, in binary messages unless `sound` makes others. Implement it for other servers.
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
  /** Sample rate that the server needs, in hertz. Default: any. */
  readonly rate?: number
  /** Languages that the model hears; a listening in another fails with `BadRequest`. Default: any. */
  readonly languages?: ReadonlyArray<LanguageCode>
  /** Makes the message of a packet of sound. Default: the packet as it is. */
  readonly sound?: (packet: Uint8Array) => string | Uint8Array
  /** Makes the address, the headers and the first messages of a connection. */
  readonly open: (request: ListenRequest) => ListenOpening
  /** Makes the messages that ask for the final words of the sound before them; bytes are sound, texts are commands. */
  readonly flush: (request: { readonly rate: number }) => string | Uint8Array | ReadonlyArray<string>
  /**
   * Silence that is sent as sound before a flush, for servers that report on sound in steps: the step that reaches beyond the turn
   * tells that nothing was said in it. Default: none.
   */
  readonly flushSilence?: Duration.DurationInput
  /** Message that keeps a connection open while no sound is sent, and its interval; null when none is needed. */
  readonly keepAlive: { readonly message: string; readonly every: Duration.DurationInput } | null
  /** Message that ends the stream before the connection is closed; null when closing it is enough. */
  readonly closing: string | null
  /**
   * True when the server answers each message after the first ones exactly once and in order, so that counting tells
   * which sound an answer covers; `until` and `isFlushed` of replies are then ignored.
   */
  readonly answersEach: boolean
  /**
   * True when the server answers each flush exactly once and in order, or by its name, so that `until` of replies is ignored. A
   * flush that is given up counts as unanswered. Default: false.
   */
  readonly answersFlushes?: boolean
  /** Reads a message of the server; null when it is malformed or unknown. */
  readonly read: (text: string) => ServerReply | null
  /** True when another connection may help after the server closed this one. */
  readonly mayReconnect: (closing: { readonly code: number; readonly reason: string }) => boolean
  /** Reads why the server closed the connection; null when it does not tell. Default: it never tells. */
  readonly closingFault?: (closing: { readonly code: number; readonly reason: string }) => ProviderFault | null
  /** Reads why the server refused the handshake. Default: the status alone tells. */
  readonly faultOf?: FaultReader
}
