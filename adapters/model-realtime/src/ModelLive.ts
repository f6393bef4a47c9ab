import type { UpstreamError } from "@trunkline/http-client"
import { fiberStarter } from "@trunkline/kernel"
import type { ModelFailure } from "@trunkline/models"
import { addressOf } from "@trunkline/transcriber-websocket/sockets"
import { RealtimeModel, type RealtimeOpening, type RealtimeSession } from "@trunkline/turn-taking"
import { Effect, Layer, type Scope } from "effect"
import { connect, connectTimedOut, type FirstEvent } from "./Connect.js"
import { type LiveServerEvent, readLiveEvent, startSession } from "./live/LiveEvents.js"
import { type LiveOptions, liveSettingsOf, openAiLiveUrl } from "./live/LiveOptions.js"
import { makeLiveSession } from "./live/LiveSession.js"
import { soundFormatOf } from "./protocol/SoundFormat.js"

const firstOf = (event: LiveServerEvent): FirstEvent<null> | null =>
  event._tag === "Started"
    ? { _tag: "Begun", value: null }
    : event._tag === "Error"
    ? { _tag: "Refused", fault: event.fault }
    : null

/**
 * Makes a duplex `RealtimeModel` backed by a server with OpenAI's Live protocol, that of GPT-Live: one WebSocket for each session,
 * with client delegation. Dies on an invalid `url`.
 *
 * The model hears and talks by itself, and asks the agent for what it delegates. Lines of 8,000 hertz send and get G.711, others PCM
 * at 24,000 hertz. Keys, words and messages of the server are neither logged nor repeated in errors.
 *
 * @example
 * ```ts
 * const realtime = ModelLive.layer({ apiKey: Redacted.make("sk-..."), model: "gpt-live-1.1", voice: "marin" })
 * ```
 */
export const make = (options: LiveOptions): Effect.Effect<RealtimeModel.Service> =>
  Effect.sync(() => {
    const { connectTimeout = "5 seconds" } = options
    const url = addressOf(options.url ?? openAiLiveUrl, options, options.who ?? "realtime model")
    const settings = liveSettingsOf(options, url)
    const { serverName } = settings

    const begin = (opening: RealtimeOpening): Effect.Effect<RealtimeSession, UpstreamError, Scope.Scope> =>
      Effect.gen(function*() {
        const start = yield* fiberStarter()
        const sound = soundFormatOf(opening.rate, settings.law)
        const { hear, send, socket } = yield* connect({
          url,
          options,
          serverName,
          hello: startSession(settings, sound, opening),
          read: readLiveEvent,
          first: firstOf
        })
        const session = makeLiveSession({
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
        return { expiresAt: null, push: session.push, send: session.send }
      })

    const open = (opening: RealtimeOpening): Effect.Effect<RealtimeSession, ModelFailure, Scope.Scope> =>
      begin(opening).pipe(
        Effect.timeoutFail({ duration: connectTimeout, onTimeout: () => connectTimedOut(serverName, connectTimeout) }),
        Effect.mapError(({ failure }) => failure)
      )
    return { shape: "duplex", open }
  })

/** Layer of `make`. */
export const layer = (options: LiveOptions): Layer.Layer<never> =>
  Layer.unwrapEffect(Effect.map(make(options), RealtimeModel.layerOf))
