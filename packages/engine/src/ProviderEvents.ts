import { Invalid, NotAllowed, NotFound, Unavailable } from "@trunkline/errors"
import type { ConnectionId } from "@trunkline/kernel"
import {
  CallEvents,
  type Carrier,
  Carriers,
  type Connection,
  Connections,
  type EventReply,
  type OpenFrames
} from "@trunkline/telephony"
import { Array, Context, Effect, Layer, Option } from "effect"
import { Adoption } from "./wiring/Adoption.js"

/** Request in which a telephony provider reports the progress of calls, or asks what to do with one. */
export interface ProviderPush {
  readonly connection_id: ConnectionId
  readonly method: "GET" | "POST"
  /** Path and query below the prefix of the host. */
  readonly url: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Address of the peer of the connection; null where the host does not tell it. */
  readonly remoteAddress: string | null
  /** Raw bytes, which the provider's signature covers. */
  readonly body: Uint8Array
}

/** Request in which a telephony provider opens a WebSocket for a call. */
export interface ProviderStream extends Omit<ProviderPush, "method" | "body"> {
  readonly token: string
}

/** Receives events that telephony providers push. */
export class ProviderEvents extends Context.Tag("@trunkline/engine/ProviderEvents")<ProviderEvents, {
  /**
   * Verifies and parses a push with the carrier of its connection, and stores its events. Completes once they are stored,
   * so that the provider need not send them again; duplicates are stored once. A push is stored as a whole or not at all.
   * Returns what the carrier replies; null for nothing.
   *
   * Fails with `NotFound` for an unknown connection or a carrier without events, `NotAllowed` for a wrong signature,
   * `Invalid` for unreadable events, and `Unavailable` when no carrier serves the connection, or when a process without the
   * role `dial` hears that an inbound call rings.
   */
  readonly receive: (
    push: ProviderPush
  ) => Effect.Effect<EventReply | null, Invalid | NotAllowed | NotFound | Unavailable>
  /**
   * Gives a WebSocket to the carrier of its connection, and completes when it is over. The carrier accepts every socket, and
   * closes those that it does not expect.
   *
   * Fails with `NotFound` for an unknown connection or a carrier without streams, and `Unavailable` when no carrier serves it.
   */
  readonly stream: (request: ProviderStream, open: OpenFrames) => Effect.Effect<void, NotFound | Unavailable>
}>() {
  static readonly layer = Layer.effect(
    ProviderEvents,
    Effect.gen(function*() {
      const carriers = yield* Carriers
      const connections = yield* Connections
      const events = yield* CallEvents
      const adoption = yield* Adoption

      const routeOf = (
        connection_id: ConnectionId
      ): Effect.Effect<{ readonly carrier: Carrier; readonly connection: Connection }, NotFound | Unavailable> =>
        Effect.gen(function*() {
          const connection = (yield* connections.list).find((one) => one.connection_id === connection_id)
          if (connection === undefined) return yield* unknownConnection(connection_id)
          const carrier = carriers.find(connection.provider)
          if (Option.isSome(carrier)) return { carrier: carrier.value, connection }
          return yield* new Unavailable({ message: "The provider of this connection is out of service" })
        })

      const receive = Effect.fn("ProviderEvents.receive")(function*({ connection_id, ...request }: ProviderPush) {
        const { carrier: { provider, readEvents }, connection } = yield* routeOf(connection_id)
        if (readEvents === undefined) return yield* unknownConnection(connection_id)
        const result = yield* Effect.catchTag(
          readEvents({ ...request, connection }),
          "EventRefused",
          ({ issues, why }): Effect.Effect<never, Invalid | NotAllowed | Unavailable> =>
            Effect.fail(
              why === "signature"
                ? new NotAllowed({ message: "The signature of the events is not valid" })
                : why === "not_taken"
                ? new Unavailable({ message: "An inbound call is taken by a process with the role dial only" })
                : Array.isNonEmptyReadonlyArray(issues)
                ? new Invalid({ issues })
                : Invalid.at(["body"], "value_error", "The events cannot be read")
            )
        )
        const { reply = null, ...read } = "events" in result ? result : { events: result }
        yield* events.receive(provider, read.events)
        return reply
      })

      const stream = Effect.fn("ProviderEvents.stream")(
        function*({ connection_id, ...request }: ProviderStream, open: OpenFrames) {
          const { carrier: { acceptStream }, connection } = yield* routeOf(connection_id)
          if (acceptStream === undefined) return yield* unknownConnection(connection_id)
          yield* acceptStream({ ...request, connection, seek: adoption.request }, open)
        }
      )

      return ProviderEvents.of({ receive, stream })
    })
  )
}

const unknownConnection = (id: ConnectionId) => new NotFound({ resource: "connection", id })
