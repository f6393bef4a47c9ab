import { ModelTimedOut } from "@trunkline/errors"
import { faultError, type ProviderFault, type UpstreamError } from "@trunkline/http-client"
import { currentTraceHeaders } from "@trunkline/kernel"
import { type AddressRules, checkHost, openSocket, type Socket } from "@trunkline/transcriber-websocket/sockets"
import { Deferred, Duration, Effect, Redacted, type Scope } from "effect"
import type { ClientEvent } from "./protocol/ClientEvents.js"
import { faultOfBody } from "./protocol/ServerEvents.js"

/** Beginning of a session, as its first events tell it: begun with a value, refused, or neither yet. */
export type FirstEvent<A> =
  | { readonly _tag: "Begun"; readonly value: A }
  | { readonly _tag: "Refused"; readonly fault: ProviderFault }

/** A connection whose session has begun. */
export interface RealtimeConnection<Event, A> {
  readonly socket: Socket
  readonly send: (event: ClientEvent) => void
  readonly begun: A
  /** Sets the listener of later events. */
  readonly hear: (take: (event: Event) => void) => void
}

/** Options that the adapters of both protocols have. */
interface ConnectOptions extends AddressRules {
  readonly apiKey?: Redacted.Redacted
  readonly headers?: Readonly<Record<string, string>>
}

/** Connects to a server for the duration of the scope, and waits until the session has begun. */
export const connect = <Event, A>({ first, headers = {}, hello = null, options, read, serverName, url }: {
  readonly url: URL
  readonly options: ConnectOptions
  readonly serverName: string
  /** Headers of the protocol. */
  readonly headers?: Readonly<Record<string, string>>
  /** Event that asks for the session; null where the connection does. */
  readonly hello?: ClientEvent | null
  /** Reads a message; null when it is malformed. */
  readonly read: (text: string) => Event | null
  readonly first: (event: Event) => FirstEvent<A> | null
}): Effect.Effect<RealtimeConnection<Event, A>, UpstreamError, Scope.Scope> =>
  Effect.gen(function*() {
    const traceHeaders = yield* currentTraceHeaders
    const lookup = yield* checkHost(url, options, serverName)
    const opening = yield* Deferred.make<A, UpstreamError>()
    let take = (event: Event): void => {
      const news = first(event)
      if (news?._tag === "Begun") Deferred.unsafeDone(opening, Effect.succeed(news.value))
      if (news?._tag === "Refused") Deferred.unsafeDone(opening, Effect.fail(faultError(serverName, news.fault)))
    }
    const socket = yield* openSocket({
      serverName,
      url,
      headers: {
        "user-agent": "trunkline",
        ...headers,
        ...(options.apiKey !== undefined && { authorization: `Bearer ${Redacted.value(options.apiKey)}` }),
        ...options.headers,
        ...traceHeaders
      },
      lookup,
      closing: null,
      faultOf: ({ json }) => faultOfBody(json),
      onMessage: (text) => {
        const event = read(text)
        if (event !== null) take(event)
      }
    })
    const send = (event: ClientEvent): void => socket.send(JSON.stringify(event))
    if (hello !== null) send(hello)
    const value = yield* Effect.raceFirst(
      Deferred.await(opening),
      Effect.flatMap(socket.closed, () => Effect.fail(faultError(serverName, "failed")))
    )
    return {
      socket,
      send,
      begun: value,
      hear: (listener) => {
        take = listener
      }
    }
  })

/** The failure of a server that begins no session in time. */
export const connectTimedOut = (serverName: string, timeout: Duration.DurationInput): UpstreamError => ({
  failure: new ModelTimedOut({
    message: `The ${serverName} took too long: no session had begun within ${Duration.format(timeout)}`,
    unreachable: true
  }),
  note: "timeout of connect",
  retryDelay: null
})
