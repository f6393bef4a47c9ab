import { assert, describe, it } from "@effect/vitest"
import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { meterReading } from "@trunkline/kernel/testing"
import {
  Account,
  AccountStore,
  ApiKey,
  Credits,
  Entropy,
  type KeyBudget,
  KeyEnvironment,
  Keys,
  KeyStore,
  KeyTerms,
  type Payer
} from "@trunkline/rate-limits"
import { DateTime, Effect, Layer, Redacted, Schema, TestClock } from "effect"
import { acme, credits, free, payer, reserve, settle, standing } from "./Fixtures.js"

const budgeted = (micro_credits: number, period: KeyBudget["period"] = "total") => ({
  ...payer,
  budget: { micro_credits, period }
})

const elsewhere = { ...payer, key_id: "key-b" }

const refusal = (request_id: string, amount: number, who: Payer = budgeted(50)) =>
  Effect.flip(reserve(request_id, amount, who))

const lacksOne = "The budget of this key lacks 0.000001 credits for this request"

const spentOf = (refused: BillingUnavailable | InsufficientCredits) =>
  refused._tag === "InsufficientCredits" ? refused.spendLimits : undefined

describe("the budget of a key", () => {
  it.effect("covers the usage and reservations of its key only", () =>
    Effect.gen(function*() {
      yield* reserve("other", 30, elsewhere)
      yield* settle("other", 30, elsewhere)
      yield* reserve("a", 20, budgeted(50))
      yield* settle("a", 15, budgeted(50))
      yield* reserve("b", 30, budgeted(50))
      const before = meterReading("trunkline_credits_refused_total", { limit: "key" })
      const refused = yield* refusal("c", 6)
      assert.strictEqual(meterReading("trunkline_credits_refused_total", { limit: "key" }), before + 1)
      assert.strictEqual(refused.message, lacksOne)
      assert.deepStrictEqual(spentOf(refused), [{ scope: "key", limit: 50, used: 45, resets_at: null }])
      yield* reserve("c", 5, budgeted(50))
      yield* reserve("d", 20, elsewhere)
    }).pipe(Effect.provide(credits())))

  it.effect("regains released and expired reservations", () =>
    Effect.gen(function*() {
      const { release } = yield* Credits
      yield* reserve("a", 50, budgeted(50))
      yield* refusal("b", 1)
      yield* release("a")
      yield* reserve("b", 50, budgeted(50))
      yield* TestClock.adjust("15 minutes")
      yield* reserve("c", 50, budgeted(50))
    }).pipe(Effect.provide(credits())))

  it.effect("applies in an unlimited account, also under concurrency", () =>
    Effect.gen(function*() {
      const who = { ...budgeted(50), account_id: free }
      const results = yield* Effect.forEach(["a", "b", "c", "d"], (id) => Effect.either(reserve(id, 20, who)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(results.map(({ _tag }) => _tag), ["Right", "Right", "Left", "Left"])
      yield* settle("a", 20, who)
      yield* settle("b", 20, who)
      yield* refusal("e", 11, who)
      yield* reserve("e", 10, who)
    }).pipe(Effect.provide(credits())))

  it.effect("counts the cost, also the part that was not charged", () =>
    Effect.gen(function*() {
      yield* settle("a", 130, payer)
      assert.strictEqual((yield* refusal("b", 11, budgeted(140))).message, lacksOne)
    }).pipe(Effect.provide(credits())))

  it.effect("allows free requests even when it is exceeded", () =>
    Effect.gen(function*() {
      const who = budgeted(50)
      yield* settle("a", 60, who)
      yield* refusal("b", 1)
      yield* reserve("b", 0, who)
    }).pipe(Effect.provide(credits())))

  it.effect("is not reported when the account lacks credits", () =>
    Effect.gen(function*() {
      const refused = yield* refusal("a", 101, budgeted(1_000))
      assert.notProperty(refused, "spendLimits")
    }).pipe(Effect.provide(credits())))

  it.effect("of a day resets at midnight in the time zone and reports when", () =>
    Effect.gen(function*() {
      const who = budgeted(40, "day")
      yield* TestClock.setTime(Date.UTC(2026, 0, 5, 12))
      yield* settle("a", 40, who)
      const refused = yield* refusal("b", 1, who)
      const midnight = Date.UTC(2026, 0, 5, 18, 30)
      const resets_at = DateTime.unsafeMake(midnight)
      assert.deepStrictEqual(spentOf(refused), [
        { scope: "key", limit: 40, used: 40, resets_at }
      ])
      yield* TestClock.setTime(midnight - 1)
      yield* refusal("b", 1, who)
      yield* TestClock.setTime(midnight)
      yield* reserve("b", 40, who)
    }).pipe(Effect.provide(credits())))

  it.effect("of a month resets with the month", () =>
    Effect.gen(function*() {
      const who = budgeted(40, "month")
      yield* TestClock.setTime(Date.UTC(2026, 0, 1, 0))
      yield* settle("a", 40, who)
      yield* TestClock.setTime(Date.UTC(2026, 0, 31, 23))
      const refused = yield* refusal("b", 1, who)
      assert.deepStrictEqual(
        spentOf(refused)?.[0].resets_at,
        DateTime.unsafeMake("2026-02-01T00:00:00Z")
      )
      yield* TestClock.setTime(Date.UTC(2026, 1, 1))
      yield* reserve("b", 40, who)
    }).pipe(Effect.provide(credits({ timeZone: "UTC" }))))

  it.effect("is ignored without a key and when it is null", () =>
    Effect.gen(function*() {
      const budget: KeyBudget = { micro_credits: 0, period: "total" }
      const { reserve } = yield* Credits
      const request = { api: "talk", max: { character: 10 } }
      yield* reserve({ ...request, payer: { account_id: acme, budget }, request_id: "a" })
      yield* reserve({ ...request, payer: { ...payer, budget: null }, request_id: "b" })
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 20 })
    }).pipe(Effect.provide(credits())))
})

describe("the terms of a key", () => {
  const terms = { workspaces: "*", features: [], models: null, label: "Backend" }
  const budget: KeyBudget = { micro_credits: 5, period: "month" }

  it("can have a budget and default to none", () => {
    const decode = Schema.decodeUnknownSync(KeyTerms)
    assert.isNull(decode(terms).budget)
    assert.isNull(decode({ ...terms, budget: null }).budget)
    assert.deepStrictEqual(decode({ ...terms, budget }).budget, budget)
    assert.throws(() => decode({ ...terms, budget: { ...budget, micro_credits: -1 } }))
    assert.throws(() => decode({ ...terms, budget: { ...budget, micro_credits: 0.5 } }))
    assert.throws(() => decode({ ...terms, budget: { ...budget, period: "year" } }))
  })

  it("of a key stored before budgets existed are valid", () => {
    const keyTerms = {
      ...terms,
      key_id: "demo",
      hash: "5f".repeat(32),
      account_id: "acme",
      created_at: "2026-01-05T10:00:00.000Z",
      revoked_at: null
    }
    const key = Schema.decodeUnknownSync(ApiKey)(keyTerms)
    assert.isNull(key.budget)
    assert.deepStrictEqual({ ...Schema.encodeSync(ApiKey)(key) }, { ...keyTerms, budget: null })
  })

  it.effect("are part of the caller, which can be a payer", () =>
    Effect.gen(function*() {
      const keys = yield* Keys
      yield* (yield* AccountStore).putAccount(new Account({ account_id: acme, plan: "pro", credits: null }))
      const { text } = yield* keys.create(acme, {
        env: KeyEnvironment.make("test"),
        terms: { workspaces: "*", features: [], models: null, label: "", budget: { micro_credits: 5, period: "total" } }
      })
      const presented = { subscriptionKey: Redacted.value(text), bearer: null, xApiKey: null }
      const caller = yield* keys.authenticate(presented, "main")
      yield* reserve("a", 5, caller)
      yield* refusal("b", 1, caller)
    }).pipe(Effect.provide(Keys.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(credits(), KeyStore.layerMemory, Entropy.layerSeeded("keys")))
    ))))
})
