import { assert, describe, it } from "@effect/vitest"
import type { Issue } from "@trunkline/errors"
import { ConnectionId, PhoneNumber, Transactions } from "@trunkline/kernel"
import {
  CallEvents,
  CallEventStore,
  type Carrier,
  Carriers,
  Connection,
  Connections,
  EventRefused
} from "@trunkline/telephony"
import { Effect, Layer, Stream } from "effect"
import { ProviderEvents } from "../src/ProviderEvents.js"

const connection_id = ConnectionId.make("line-1")

const connection = new Connection({
  connection_id,
  provider: "teller",
  phone_numbers: [PhoneNumber.make("+911140000001")]
})

/** A provider whose pushes are refused. */
const refusing = (refused: EventRefused): Carrier => ({
  provider: "teller",
  protocol: "http",
  dedupe: () => ({ _tag: "None" }),
  place: () => Effect.dieMessage("nobody is called"),
  look: () => Effect.dieMessage("nobody was called"),
  readEvents: () => refused,
  offers: Stream.empty
})

const pushed = (refused: EventRefused) =>
  Effect.flatMap(
    ProviderEvents,
    ({ receive }) => Effect.flip(receive({ connection_id, headers: {}, body: new Uint8Array() }))
  ).pipe(Effect.provide(
    ProviderEvents.layer.pipe(
      Layer.provide(Connections.layerOf([connection])),
      Layer.provide(Carriers.layerOf([refusing(refused)])),
      Layer.provide(CallEvents.layer()),
      Layer.provide(CallEventStore.layerMemory),
      Layer.provide(Transactions.layerMemory)
    )
  ))

describe("a push that a driver refuses", () => {
  it.effect("is answered with what the driver found wrong, and where", () =>
    Effect.gen(function*() {
      const issues: readonly [Issue] = [{ loc: ["body", "events", 3, "event_id"], msg: "Missing", type: "missing" }]
      assert.deepInclude(yield* pushed(new EventRefused({ why: "malformed", issues })), { _tag: "Invalid", issues })
    }))

  it.effect("is answered with 422 as well where the driver does not tell", () =>
    Effect.gen(function*() {
      const refused = yield* pushed(new EventRefused({ why: "malformed" }))
      assert.deepInclude(refused, {
        _tag: "Invalid",
        issues: [{ loc: ["body"], msg: "The events cannot be read", type: "value_error" }]
      })
    }))

  it.effect("is not answered with what is in it when it is not proven to be the provider's", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* pushed(new EventRefused({ why: "signature" })), { _tag: "NotAllowed" })
    }))
})
