import { assert, describe, it } from "@effect/vitest"
import type { DoubleCallee } from "@trunkline/carrier-http/testing"
import type { Carrier, DialPlan } from "@trunkline/telephony"
import { Duration, Effect, Either } from "effect"
import { carrierTo, connectionTo, events, keyed, lookupDedupe, planFor } from "./World.js"

const rings: DoubleCallee = { kind: "no_answer", afterMillis: 60_000 }
const busy: DoubleCallee = { kind: "busy", afterMillis: 0 }

const look = (carrier: Carrier, { attempt_id, connection }: DialPlan, provider_call_id: string | null = null) =>
  carrier.lookup({ attempt_id, connection, provider_call_id })

describe("call lookup", () => {
  it.scopedLive("finds a call by attempt and by id, while ringing and after its end", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({ secondMillis: 1_000, default: rings }, lookupDedupe)
      const plan = planFor(connection)
      assert.deepStrictEqual(yield* look(carrier, plan), { _tag: "NotFound" })
      const { cancel, provider_call_id } = yield* carrier.place(plan)
      for (const sight of [yield* look(carrier, plan), yield* look(carrier, plan, provider_call_id)]) {
        if (sight._tag !== "Live") return assert.fail(`it is ${sight._tag}`)
        assert.strictEqual(sight.call.provider_call_id, provider_call_id)
        assert.isFalse(sight.connected)
      }
      yield* cancel
      const over = yield* look(carrier, plan)
      assert.deepInclude(over, { _tag: "Over", provider_call_id })
      assert.deepInclude(over._tag === "Over" && over.result, { status: "failed", reason: "http: cancelled" })
      assert.strictEqual(provider.journal.dialsByAttempt.get(plan.attempt_id), 1)
    }).pipe(Effect.provide(events)))

  it.scopedLive("reports why a call did not connect, and no result for answered calls", () =>
    Effect.gen(function*() {
      const { carrier, connection } = yield* carrierTo({ rules: [{ suffix: "7", callee: busy }] }, lookupDedupe)
      const [engaged, talking] = [planFor(connection, "+919876543217"), planFor(connection)]
      yield* Effect.flip((yield* carrier.place(engaged)).answer)
      const sight = yield* look(carrier, engaged)
      assert.deepInclude(sight._tag === "Over" && sight.result, { status: "busy", reason: null })
      const leg = yield* (yield* carrier.place(talking)).answer
      const connected = yield* look(carrier, talking)
      assert.isTrue(connected._tag === "Live" && connected.connected)
      yield* leg.hangUp
      const answered = yield* look(carrier, talking)
      assert.isNull(answered._tag === "Over" ? answered.result : undefined)
    }).pipe(Effect.provide(events)))

  it.scopedLive("fails after three requests while the provider does not respond", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({}, lookupDedupe)
      for (const status of [500, 503, 429]) provider.injectFault("list", { kind: "status", when: "before", status })
      const failure = yield* Effect.flip(look(carrier, planFor(connection)))
      assert.deepInclude(failure, { _tag: "LookupFailed", reason: "status 429" })
      assert.strictEqual(provider.requests.length, 3)
      provider.injectFault("list", { kind: "cut", when: "before" })
      assert.deepStrictEqual(yield* look(carrier, planFor(connection)), { _tag: "NotFound" })
      provider.injectFault("list", { kind: "garbage", when: "after" })
      assert.deepInclude(yield* Effect.flip(look(carrier, planFor(connection))), {
        reason: "the response is not valid"
      })
    }).pipe(Effect.provide(events)))

  it.scopedLive("does not find a call of another connection with the same id", () =>
    Effect.gen(function*() {
      const { carrier, connection } = yield* carrierTo({}, lookupDedupe)
      const { provider_call_id } = yield* carrier.place(planFor(connection))
      assert.strictEqual(provider_call_id, "line-1:call-1")
      assert.deepStrictEqual(yield* look(carrier, planFor(connection), "line-2:call-1"), { _tag: "NotFound" })
    }).pipe(Effect.provide(events)))

  it.scopedLive("lists live calls and ends them by id", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({ secondMillis: 1_000, default: rings }, lookupDedupe)
      const plans = [planFor(connection), planFor(connection)]
      const began = Date.now()
      const calls = yield* Effect.forEach(plans, (plan) => carrier.place(plan))
      const listed = yield* carrier.live?.(connection) ?? Effect.succeed([])
      assert.deepStrictEqual(
        listed.map(({ attempt_id, provider_call_id }) => [attempt_id, provider_call_id]),
        plans.map(({ attempt_id }, index) => [attempt_id, calls[index]?.provider_call_id ?? ""])
      )
      assert.isTrue(listed.every(({ since }) => since > began - 1_000 && since <= Date.now() + 1_000))
      const [first] = listed
      for (let times = 0; times < 2; times++) {
        yield* carrier.end?.(connection, first?.provider_call_id ?? "") ?? Effect.void
      }
      assert.lengthOf(yield* carrier.live?.(connection) ?? Effect.succeed([]), 1)
      assert.deepStrictEqual(provider.calls().map((call) => call.isOver()), [true, false])
    }).pipe(Effect.provide(events)))
})

describe("the options of a connection", () => {
  it.scopedLive("determine the dedupe support", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo()
      assert.deepStrictEqual(carrier.dedupe(connection), { _tag: "None" })
      assert.deepStrictEqual(carrier.dedupe(connectionTo(provider.url, keyed)), {
        _tag: "Key",
        ttl: Duration.seconds(86_400)
      })
      assert.deepStrictEqual(carrier.dedupe(connectionTo(provider.url, lookupDedupe)), {
        _tag: "Lookup",
        settle: Duration.seconds(1)
      })
      const both = { dedupe: { kind: "key", ttl_seconds: 60, settle_seconds: 5 } }
      assert.deepStrictEqual(carrier.dedupe(connectionTo(provider.url, both)), {
        _tag: "Key",
        ttl: Duration.seconds(60),
        settle: Duration.seconds(5)
      })
      assert.deepStrictEqual(carrier.dedupe(connectionTo("nowhere", lookupDedupe)), { _tag: "None" })
    }).pipe(Effect.provide(events)))

  it.scopedLive("are decoded again when they change", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo()
      yield* carrier.place(planFor(connection))
      const elsewhere = connectionTo("http://127.0.0.1:9")
      assert.isTrue(Either.isLeft(yield* Effect.either(carrier.place(planFor(elsewhere)))))
      yield* carrier.place(planFor(connection))
      assert.strictEqual(provider.journal.dialsByAttempt.size, 2)
    }).pipe(Effect.provide(events)))
})
