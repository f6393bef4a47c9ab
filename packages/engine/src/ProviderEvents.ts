import { Invalid, NotAllowed, NotFound, Unavailable } from "@trunkline/errors"
import type { ConnectionId } from "@trunkline/kernel"
import { CallEvents, Carriers, Connections } from "@trunkline/telephony"
import { Array, Context, Effect, Layer, Option } from "effect"

/** What a provider sent to tell what became of calls. */
export interface ProviderPush {
  readonly connection_id: ConnectionId
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes as they came: signatures are over them. */
  readonly body: Uint8Array
}

/** Takes what providers tell of calls, for the routes that they push to (an extension of ours). */
export class ProviderEvents extends Context.Tag("@trunkline/engine/ProviderEvents")<ProviderEvents, {
  /**
   * Has the driver of the connection check and read a push, and keeps what it tells; completes once it is kept, so that
   * the provider may forget it. What was told before is kept once. What the driver refuses is not kept, no part of it.
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
          return yield* new Unavailable({ message: "The phone line of this connection is out of service" })
        }
        const { provider, readEvents } = carrier.value
        if (readEvents === undefined) return yield* unknown
        const told = yield* Effect.catchTag(
          readEvents({ headers, body, connection }),
          "EventRefused",
          ({ issues, why }) =>
            Effect.fail(
              why === "signature"
                ? new NotAllowed({ message: "The signature of the events is not that of the provider" })
                : Array.isNonEmptyReadonlyArray(issues)
                ? new Invalid({ issues })
                : Invalid.at(["body"], "value_error", "The events cannot be read")
            )
        )
        yield* events.receive(provider, told)
      })

      return ProviderEvents.of({ receive })
    })
  )
}
