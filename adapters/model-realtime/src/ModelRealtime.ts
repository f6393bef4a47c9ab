import type { UpstreamError } from "@trunkline/http-client"
import { fiberStarter } from "@trunkline/kernel"
import type { ModelFailure } from "@trunkline/models"
import { addressOf } from "@trunkline/transcriber-websocket/sockets"
import { RealtimeModel, type RealtimeOpening, type RealtimeSession } from "@trunkline/turn-taking"
import { Effect, Layer, type Scope } from "effect"
import { connect, connectTimedOut, type FirstEvent } from "./Connect.js"
import { addMessages, beginSession } from "./protocol/ClientEvents.js"
import { readServerEvent, type ServerEvent } from "./protocol/ServerEvents.js"
import { soundFormatOf } from "./protocol/SoundFormat.js"
import { openAiUrl, type RealtimeOptions, settingsOf } from "./RealtimeOptions.js"
import { makeSession } from "./Session.js"

const firstOf = (event: ServerEvent): FirstEvent<number | null> | null =>
  event._tag === "Created"
    ? { _tag: "Begun", value: event.expiresAt }
    : event._tag === "Error"
    ? { _tag: "Refused", fault: event.fault }
    : null

/**
 * Makes a `RealtimeModel` backed by a server with OpenAI's Realtime protocol: one WebSocket for each session. Dies on an invalid
 * `url`.
 *
 * The server finds the turns of the caller, and is asked for each answer. Lines of 8,000 hertz send and get G.711, others PCM at
 * 24,000 hertz. Keys, words and messages of the server are neither logged nor repeated in errors.
 *
 * @example
 * ```ts
 * const realtime = ModelRealtime.layer({ apiKey: Redacted.make("sk-..."), model: "gpt-realtime-2.1", voice: "marin" })
 * ```
 */
export const make = (options: RealtimeOptions): Effect.Effect<RealtimeModel.Service> =>
  Effect.sync(() => {
    const { connectTimeout = "5 seconds" } = options
    const url = addressOf(options.url ?? openAiUrl, options, options.who ?? "realtime model")
    const settings = settingsOf(options, url)
    const { model, protocol, serverName } = settings
    if (!url.searchParams.has("model")) url.searchParams.set("model", model)

    const begin = (opening: RealtimeOpening): Effect.Effect<RealtimeSession, UpstreamError, Scope.Scope> =>
      Effect.gen(function*() {
        const start = yield* fiberStarter()
        const { begun: expiresAt, hear, send, socket } = yield* connect({
          url,
          options,
          serverName,
          headers: protocol === "beta" ? { "openai-beta": "realtime=v1" } : {},
          read: readServerEvent,
          first: firstOf
        })
        const sound = soundFormatOf(opening.rate, settings.law)
        const session = makeSession({
          socket,
          send,
          settings,
          opening,
          sound,
          emit: opening.onEvent,
          onError: (code) => void start(Effect.logWarning(`The ${serverName} reported an error; code:`, code))
        })
        hear(session.take)
        yield* Effect.forkScoped(Effect.andThen(socket.closed, Effect.sync(session.close)))
        send(beginSession(settings, sound, opening.setup))
        addMessages(settings, opening.history).forEach(send)
        return { expiresAt, push: session.push, send: session.send }
      })

    const open = (opening: RealtimeOpening): Effect.Effect<RealtimeSession, ModelFailure, Scope.Scope> =>
      begin(opening).pipe(
        Effect.timeoutFail({ duration: connectTimeout, onTimeout: () => connectTimedOut(serverName, connectTimeout) }),
        Effect.mapError(({ failure }) => failure)
      )
    return { open }
  })

/** Layer of `make`. */
export const layer = (options: RealtimeOptions): Layer.Layer<never> =>
  Layer.unwrapEffect(Effect.map(make(options), RealtimeModel.layerOf))
