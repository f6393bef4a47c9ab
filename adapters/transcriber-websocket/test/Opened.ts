import { macroTask } from "@trunkline/kernel"
import { deepgram, ListenerWebSocket } from "@trunkline/transcriber-websocket"
import { type Protocol, type SpeechServer, speechServer } from "@trunkline/transcriber-websocket/testing"
import { Effect, Logger, LogLevel, Redacted } from "effect"

/** A key that must not leak. */
export const key = "secret-0123456789"

/** Opens a listening of telephone sound before a server. */
export const openBefore = (server: SpeechServer, options: Partial<ListenerWebSocket.ListenerOptions> = {}) =>
  Effect.flatMap(
    ListenerWebSocket.make({
      url: server.url,
      dialect: deepgram(),
      apiKey: Redacted.make(key),
      allowInsecureUrls: true,
      allowPrivateUrls: true,
      ...options
    }),
    ({ open }) => open({ rate: 8_000, language: "en-IN" })
  )

/** A server, and a listening before it. */
export const opened = (protocol: Protocol, options: Partial<ListenerWebSocket.ListenerOptions> = {}) =>
  Effect.gen(function*() {
    const server = yield* speechServer(protocol)
    return { server, ...(yield* openBefore(server, options)) }
  })

/** Waits until something holds, turn by turn of the event loop. */
export const until = (holds: () => boolean) => Effect.repeat(macroTask, { until: holds })

/** Runs an effect and returns its result with all that it logged. */
export const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const logger = Logger.make(({ annotations, cause, message }) =>
      void lines.push(JSON.stringify([message, cause, annotations]))
    )
    const result = yield* effect.pipe(
      Logger.withMinimumLogLevel(LogLevel.All),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    return { result, lines }
  })
