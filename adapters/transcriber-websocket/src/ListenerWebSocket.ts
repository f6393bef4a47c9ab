import { BadRequest, ModelTimedOut } from "@trunkline/errors"
import type { UpstreamError } from "@trunkline/http-client"
import { currentTraceHeaders } from "@trunkline/kernel"
import { Listener } from "@trunkline/speech"
import { Duration, Effect, Layer, type Redacted } from "effect"
import { addressOf, type AddressRules, checkHost } from "./Address.js"
import type { ListenDialect } from "./ListenDialect.js"
import { openListening } from "./Listening.js"
import { openSocket } from "./Socket.js"

/** Address of a streaming speech-to-text server, its protocol, and limits. */
export interface ListenerOptions extends AddressRules {
  /** A `wss:` URL, or `ws:` where allowed, such as `wss://api.deepgram.com/v1/listen`; a query string is kept. */
  readonly url: string
  /** The protocol of the server, such as `deepgram()` or `vosk()`. */
  readonly dialect: ListenDialect
  /** Key of the server. Default: none. */
  readonly apiKey?: Redacted.Redacted
  /** Headers of every connection, in addition to those of the dialect. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sample rate that the server needs, in hertz; sound at another rate is resampled. Default: that of the caller. */
  readonly rate?: number
  /** Names the server in messages. Default: `streaming transcriber`. */
  readonly who?: string
  /** Time to resolve the host and connect. Default: 5 seconds. */
  readonly connectTimeout?: Duration.DurationInput
  /** Time to wait for the final words. Default: 3 seconds. */
  readonly flushTimeout?: Duration.DurationInput
  /** Sound that may wait for the network; more is dropped. Default: 5 seconds. */
  readonly maxUnsent?: Duration.DurationInput
}

const defaultName = "streaming transcriber"

const connectTimedOut = (serverName: string, timeout: Duration.DurationInput): UpstreamError => ({
  failure: new ModelTimedOut({
    message: `The ${serverName} took too long: it was not connected within ${Duration.format(timeout)}`,
    unreachable: true
  }),
  note: "timeout of connect",
  retryDelay: null
})

/**
 * Makes a `Listener` backed by a streaming speech-to-text server: one WebSocket for each listening. Dies on an invalid
 * `url`.
 *
 * A connection that breaks is replaced once, and receives the last 2 seconds of sound that had no final words yet. A flush
 * that is not answered in time returns the words so far, and fails with `ModelTimedOut` when there are none. Timeouts run
 * by Effect's clock. The counters `trunkline_listener_dropped_seconds_total` and `trunkline_listener_ignored_messages_total` are
 * metrics of Effect, updated when a listening ends. Keys, words and messages of the server are neither logged nor repeated
 * in errors.
 *
 * @example
 * ```ts
 * const listener = ListenerWebSocket.layer({
 *   url: "wss://api.deepgram.com/v1/listen",
 *   dialect: deepgram(),
 *   apiKey: Redacted.make("...")
 * })
 * ```
 */
export const make = (options: ListenerOptions): Effect.Effect<Listener["Type"]> =>
  Effect.sync(() => {
    const { apiKey = null, connectTimeout = "5 seconds", dialect, flushTimeout = "3 seconds", headers = {} } = options
    const { maxUnsent = "5 seconds", who: serverName = defaultName } = options
    const url = addressOf(options.url, options, serverName)

    const open: Listener["Type"]["open"] = Effect.fn("ListenerWebSocket.open")(function*({ language, rate }) {
      if (language !== null && dialect.languages?.includes(language) === false) {
        return yield* new BadRequest({ message: `The ${serverName} does not hear ${language}`, param: "language" })
      }
      const sentRate = dialect.rate ?? options.rate ?? rate
      const connect = (onMessage: (text: string) => void) =>
        Effect.gen(function*() {
          const opening = dialect.open({ url, rate: sentRate, language, apiKey })
          const traceHeaders = yield* currentTraceHeaders
          const lookup = yield* checkHost(opening.url, options, serverName)
          const socket = yield* openSocket({
            serverName,
            url: opening.url,
            headers: { "user-agent": "trunkline", ...headers, ...opening.headers, ...traceHeaders },
            lookup,
            closing: dialect.closing,
            faultOf: dialect.faultOf,
            onMessage
          })
          opening.messages.forEach(socket.send)
          return socket
        }).pipe(
          Effect.timeoutFail({ duration: connectTimeout, onTimeout: () => connectTimedOut(serverName, connectTimeout) })
        )
      return yield* openListening({ serverName, dialect, rate, sentRate, flushTimeout, maxUnsent, connect })
    })

    return Listener.of({ open })
  })

/** Layer of `make`. */
export const layer = (options: ListenerOptions): Layer.Layer<Listener> => Layer.effect(Listener, make(options))
