import { Invalid, NotAllowed, NotFound, Unavailable } from "@trunkline/errors"
import type { ConnectionId } from "@trunkline/kernel"
import { CallEvents, Carriers, Connections } from "@trunkline/telephony"
import { Array, Context, Effect, Layer, Option } from "effect"

/** Request in which a telephony provider reports the progress of calls. */
export interface ProviderPush {
  readonly connection_id: ConnectionId
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Raw bytes, which the provider's signature covers. */
  readonly body: Uint8Array
}

/** Receives events that telephony providers push. */
export class ProviderEvents extends Context.Tag("@trunkline/engine/ProviderEvents")<ProviderEvents, {
  /**
   * Verifies and parses a push with the carrier of its connection, and stores its events. Completes once they are stored,
   * so that the provider need not send them again; duplicates are stored once. A push is stored as a whole or not at all.
   *
   * Fails with `NotFound` for an unknown connection or a carrier without events, `NotAllowed` for a wrong signature,
   * `Invalid` for unreadable events, and `Unavailable` when no carrier serves the connection, or when a process without the
   * role `dial` hears that an inbound call rings.
   */
  readonly receive: (push: ProviderPush) => Effect.Effect<void, Invalid | NotAllowed | NotFound | Unavailable>
}>() {
  static readonly layer = Layer.effect(
    ProviderEvents,
    Effect.gen(function*() {
      const carriers = yield* Carriers
      const connections = yield* Connections
      const events = yield* CallEvents

      const receive = Effect.fn("ProviderEvents.receive")(function*({ body, connection_id, headers }: ProviderPush) {
        const unknown = new NotFound({ resource: "connection", id: connection_id })
        const connection = (yield* connections.all).find((one) => one.connection_id === connection_id)
        if (connection === undefined) return yield* unknown
        const carrier = carriers.find(connection.provider)
        if (Option.isNone(carrier)) {
          return yield* new Unavailable({ message: "The provider of this connection is out of service" })
        }
        const { provider, readEvents } = carrier.value
        if (readEvents === undefined) return yield* unknown
        const received = yield* Effect.catchTag(
          readEvents({ headers, body, connection }),
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
        yield* events.receive(provider, received)
      })

      return ProviderEvents.of({ receive })
    })
  )
}
