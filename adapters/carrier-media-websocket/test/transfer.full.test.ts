import { assert, describe, it } from "@effect/vitest"
import { PhoneNumber } from "@trunkline/kernel"
import { Effect } from "effect"
import { calling, talking } from "./Cases.js"
import { connect, events } from "./Host.js"
import { plivo, telnyx, twilio, twilioRelay } from "./Providers.js"

const colleague = PhoneNumber.make("+911140000099")

describe.each([twilio, telnyx])("a call over $double.provider", (provider) => {
  it.scopedLive("is connected to another number, by a request that the provider has", () =>
    Effect.gen(function*() {
      const { carrier, connection, double, placed } = yield* talking(provider)
      assert.isTrue(yield* carrier.transfer(connection, placed.provider_call_id, colleague))
      assert.deepStrictEqual(double.transfers, [colleague])
      assert.deepStrictEqual(double.problems(), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("stays where it is when the provider does not know it, or the id is that of another line", () =>
    Effect.gen(function*() {
      const { carrier, connection, double } = yield* connect(provider)
      const unknown = `${connection.connection_id}:CA0`
      assert.isFalse(yield* carrier.transfer(connection, unknown, colleague))
      assert.isFalse(yield* carrier.transfer(connection, "another-line:CA0", colleague))
      assert.deepStrictEqual(double.transfers, [])
    }).pipe(Effect.provide(events)))
})

describe("a call with words", () => {
  it.scopedLive("is connected to another number as one with sound", () =>
    Effect.gen(function*() {
      const { carrier, connection, double, placed } = yield* calling(twilioRelay, { kind: "answers", afterMillis: 50 })
      yield* placed.answer
      assert.isTrue(yield* carrier.transfer(connection, placed.provider_call_id, colleague))
      assert.deepStrictEqual(double.transfers, [colleague])
    }).pipe(Effect.provide(events)))
})

describe("a provider without transfers", () => {
  it.scopedLive("is asked for none", () =>
    Effect.gen(function*() {
      const { carrier, connection, double, placed } = yield* talking(plivo)
      assert.isFalse(yield* carrier.transfer(connection, placed.provider_call_id, colleague))
      assert.deepStrictEqual(double.transfers, [])
    }).pipe(Effect.provide(events)))
})
