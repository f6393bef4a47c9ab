import { assert, describe, it } from "@effect/vitest"
import type { DoubleOptions, DoubleProvider } from "@trunkline/carrier-http/testing"
import { type AudioLine, type Heard, isAudioLine, type Leg, type PlacedCall } from "@trunkline/telephony"
import { Duration, Effect, Fiber } from "effect"
import { carrierTo, events, planFor } from "./World.js"

const hello = { text: "Hello, is this Asha?", language_name: "English", interruptible: true }
const patience = Duration.seconds(8)

const isLeg = (answered: Leg | AudioLine): answered is Leg => !isAudioLine(answered)

const legOf = ({ answer }: PlacedCall) => Effect.filterOrDieMessage(answer, isLeg, "The call carries sound")

const talking = (options: DoubleOptions = {}) =>
  Effect.gen(function*() {
    const { carrier, connection, provider } = yield* carrierTo(options)
    const plan = planFor(connection)
    const call = yield* carrier.place(plan)
    return { provider, call, leg: yield* legOf(call) }
  })

const turnsOf = (provider: DoubleProvider) =>
  provider.journal.entries.flatMap(({ what }) => what === "say" || what === "listen" ? [what] : [])

const endOf = (leg: Leg) => Effect.map(Effect.flip(leg.say(hello)), ({ by }) => by)

describe("a conversation", () => {
  it.scopedLive("exchanges text turn by turn until the agent hangs up", () =>
    Effect.gen(function*() {
      const { leg, provider } = yield* talking()
      assert.deepStrictEqual(yield* leg.say(hello), { heard: hello.text, interrupted: false })
      const wordsEvent = (text: string): Heard => ({ _tag: "Said", text, en_text: null, language_name: "English" })
      assert.deepStrictEqual(yield* leg.listen(patience), wordsEvent("Yes, speaking."))
      assert.deepStrictEqual(yield* leg.listen(patience), wordsEvent("Thank you."))
      assert.deepStrictEqual(yield* leg.listen(patience), { _tag: "Silent" })
      yield* leg.hangUp
      yield* leg.hangUp
      assert.strictEqual(yield* endOf(leg), "agent")
      assert.isTrue(provider.calls()[0]?.isOver())
      assert.lengthOf(provider.requests.filter(({ path }) => path.endsWith("/hang-up")), 1)
    }).pipe(Effect.provide(events)))

  it.scopedLive("repeats no turn when responses are lost, since a retry uses the same turn name", () =>
    Effect.gen(function*() {
      const { leg, provider } = yield* talking()
      provider.injectFault("say", { kind: "cut", when: "after" })
      provider.injectFault("say", { kind: "status", when: "before", status: 503 })
      provider.injectFault("listen", { kind: "cut", when: "before" })
      yield* leg.say(hello)
      assert.deepInclude(yield* leg.listen(patience), { text: "Yes, speaking." })
      assert.deepStrictEqual(turnsOf(provider), ["say", "listen"])
    }).pipe(Effect.provide(events)))

  it.scopedLive("continues beyond the long-polling time of one request", () =>
    Effect.gen(function*() {
      const { leg, provider } = yield* talking({ secondMillis: 150 })
      assert.deepStrictEqual(yield* leg.say(hello), { heard: hello.text, interrupted: false })
      assert.isAbove(provider.requests.filter(({ path }) => path.endsWith("/say")).length, 1)
      assert.deepStrictEqual(turnsOf(provider), ["say"])
    }).pipe(Effect.provide(events)))

  it.scopedLive("ends when the other side hangs up during a say or listen turn", () =>
    Effect.gen(function*() {
      const callee = { kind: "answers", afterMillis: 0, says: ["Not now."], hangsUpAfter: 1 } as const
      const { leg } = yield* talking({ default: callee })
      assert.deepInclude(yield* leg.listen(patience), { text: "Not now." })
      assert.strictEqual(yield* endOf(leg), "user")

      const other = yield* talking({ secondMillis: 1_000 })
      const speaking = yield* Effect.fork(other.leg.say(hello))
      const listening = yield* Effect.fork(Effect.flip(other.leg.listen(patience)))
      while (turnsOf(other.provider).length < 2) yield* Effect.sleep(5)
      other.provider.calls()[0]?.hangUp()
      assert.deepStrictEqual(yield* Fiber.join(speaking), { heard: "", interrupted: true, endedBy: "agent" })
      assert.strictEqual((yield* Fiber.join(listening)).by, "agent")
    }).pipe(Effect.provide(events)))

  it.scopedLive("is given up and hung up when the provider sends invalid or error responses", () =>
    Effect.gen(function*() {
      for (const status of [400, 401, 422]) {
        const { leg, provider } = yield* talking()
        provider.injectFault("say", { kind: "status", when: "before", status })
        assert.strictEqual(yield* endOf(leg), "provider")
        assert.isTrue(provider.calls()[0]?.isOver())
      }
      const { leg, provider } = yield* talking()
      provider.injectFault("listen", { kind: "garbage", when: "after" })
      assert.strictEqual((yield* Effect.flip(leg.listen(patience))).by, "provider")
      assert.isTrue(provider.calls()[0]?.isOver())
    }).pipe(Effect.provide(events)))

  it.scopedLive("ends immediately when the call had already ended", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({ idleTimeoutMillis: 1 })
      const call = yield* carrier.place(planFor(connection))
      while (provider.calls()[0]?.isOver() !== true) yield* Effect.sleep(5)
      assert.strictEqual(yield* endOf(yield* legOf(call)), "user")
    }).pipe(Effect.provide(events)))
})
