import { assert, describe, it } from "@effect/vitest"
import { type DefineTest, type TransferHarness, transferLaws } from "@trunkline/telephony/testing"
import { Effect } from "effect"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { calling, talking } from "./Cases.js"
import { events, type Provider } from "./Host.js"
import { exotel, plivo, smartflo, telnyx, telnyxRelay, twilio, twilioRelay, vobiz } from "./Providers.js"

const colleague = "+911140000099"

const addresses = { takes: colleague, busy: null, unknown: "sip:desk@pbx.example" }

const settle = Effect.sleep("500 millis")

/** An answered call with sound. */
const sounding = (provider: Provider) =>
  Effect.map(talking(provider), ({ double, line, person }): TransferHarness => ({
    leg: line,
    keys: Effect.sync(() => person.keys()),
    connected: Effect.sync(() => double.transfers),
    addresses,
    settle
  })).pipe(Effect.provide(events))

/** An answered call with words. */
const wordy = (provider: Provider) =>
  Effect.gen(function*() {
    const { double, placed } = yield* calling(provider, { kind: "answers", afterMillis: 50 })
    const leg = yield* placed.answer
    return {
      leg,
      keys: Effect.sync(() => double.calls[0]?.relay?.keys() ?? ""),
      connected: Effect.sync(() => double.transfers),
      addresses,
      settle
    } satisfies TransferHarness
  }).pipe(Effect.provide(events))

/** Keys are tones in real time where a provider has no message for them. */
const onTime: DefineTest = (name, effect) => it.live(`${name}`, (context) => untilOnTime(context, effect()))

for (const provider of [twilio, telnyx, plivo, vobiz, exotel, smartflo]) {
  transferLaws(provider.double.provider, sounding(provider), onTime)
}
for (const provider of [twilioRelay, telnyxRelay]) transferLaws(provider.double.provider, wordy(provider), onTime)

describe("a provider without transfers", () => {
  it.scopedLive("has lines that cannot be asked for one", () =>
    Effect.gen(function*() {
      assert.isUndefined((yield* talking(plivo)).line.refer)
    }).pipe(Effect.provide(events)))
})
