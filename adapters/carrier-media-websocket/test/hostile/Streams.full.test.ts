import { assert, describe, it } from "@effect/vitest"
import { type CallEvents, isAudioLine } from "@trunkline/telephony"
import { Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import { tokenFor } from "../../src/settings/PublicAddress.js"
import { twilioAccount } from "../../src/testing.js"
import { calling, until } from "../Cases.js"
import { events, type Provider } from "../Host.js"
import { twilio, twilioRelay } from "../Providers.js"

const live = (title: string, test: Effect.Effect<void, unknown, CallEvents | Scope.Scope>) =>
  it.scopedLive(title, (context) => untilOnTime(context, Effect.provide(test, events)))

const rings = { kind: "answers", afterMillis: 1_000 } as const

/** A call that rings, and the address of its stream. */
const ringing = (provider: Provider, options: object = {}) =>
  Effect.map(calling(provider, rings, options), (world) => {
    const token = tokenFor(twilioAccount.token, `attempt:line-1:${world.plan.attempt_id}`)
    return { ...world, address: `${world.url.replace("http", "ws")}/v1/connections/line-1/streams/${token}` }
  })

/** Close code of a stream at an address, with some headers. */
const closeOf = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.async<number>((resume) => {
    new WebSocket(address, { headers }).on("error", () => undefined)
      .on("close", (code) => resume(Effect.succeed(code)))
  })

for (const provider of [twilio, twilioRelay]) {
  describe(`the stream of a call over ${provider.double.provider}`, () => {
    live(
      "is refused with a signature of somebody else, and still open to the provider",
      Effect.gen(function*() {
        const { address, double, placed } = yield* ringing(provider)
        assert.strictEqual(yield* closeOf(address, { "x-twilio-signature": "AAAA" }), 1008)
        const leg = yield* placed.answer
        assert.strictEqual(isAudioLine(leg), provider === twilio)
        assert.strictEqual(yield* closeOf(address), 1008)
        yield* until(() => double.calls[0]?.facts.state === "talking")
        assert.deepStrictEqual(double.problems(), [])
      })
    )
  })
}
