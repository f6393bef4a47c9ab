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
import { Adoption } from "../src/wiring/Adoption.js"

const connection_id = ConnectionId.make("line-1")

const push = { method: "POST", url: "/v1/connections/line-1/events", remoteAddress: null } as const

const connection = new Connection({
  connection_id,
  provider: "teller",
  phone_numbers: [PhoneNumber.make("+911140000001")]
})

/** Carrier that rejects pushed events. */
const rejectingCarrier = (refused: EventRefused): Carrier => ({
  provider: "teller",
  protocol: "http",
  dedupe: () => ({ _tag: "None" }),
  place: () => Effect.dieMessage("nobody is called"),
  lookup: () => Effect.dieMessage("nobody was called"),
  readEvents: () => refused,
  offers: Stream.empty
})

const pushed = (refused: EventRefused) =>
  Effect.flatMap(
    ProviderEvents,
    ({ receive }) => Effect.flip(receive({ ...push, connection_id, headers: {}, body: new Uint8Array() }))
  ).pipe(Effect.provide(
    ProviderEvents.layer.pipe(
      Layer.provide(Connections.layerOf([connection])),
      Layer.provide(Carriers.layerOf([rejectingCarrier(refused)])),
      Layer.provide(Layer.merge(CallEvents.layer(), Adoption.layer)),
      Layer.provide(CallEventStore.layerMemory),
      Layer.provide(Transactions.layerMemory)
    )
  ))

describe("events that a carrier rejects", () => {
  it.effect("fail with the issues that the carrier reports", () =>
    Effect.gen(function*() {
      const issues: readonly [Issue] = [{ loc: ["body", "events", 3, "event_id"], msg: "Missing", type: "missing" }]
      assert.deepInclude(yield* pushed(new EventRefused({ why: "malformed", issues })), { _tag: "Invalid", issues })
    }))

  it.effect("fail with 422 when the carrier reports no issues", () =>
    Effect.gen(function*() {
      const refused = yield* pushed(new EventRefused({ why: "malformed" }))
      assert.deepInclude(refused, {
        _tag: "Invalid",
        issues: [{ loc: ["body"], msg: "The events cannot be read", type: "value_error" }]
      })
    }))

  it.effect("fail without details when their signature is invalid", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* pushed(new EventRefused({ why: "signature" })), { _tag: "NotAllowed" })
    }))
})
