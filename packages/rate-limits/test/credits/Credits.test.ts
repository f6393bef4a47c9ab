import { assert, describe, it } from "@effect/vitest"
import { StoreBusy, Transactions } from "@trunkline/kernel"
import { Account, AccountId, AccountStore, CreditLedger, Credits } from "@trunkline/rate-limits"
import { LedgerFault } from "@trunkline/rate-limits/testing"
import { Cause, Effect, Either, Exit, Layer, TestClock } from "effect"
import { acme, asking, credits, free, globex, payer, reserve, settle, standing, usage } from "./Fixtures.js"

describe("Credits", () => {
  it.effect("reserves the maximum cost, charges the actual cost and releases the rest", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 60 })
      yield* settle("a", 25)
      assert.deepStrictEqual(yield* standing(), { balance: 75, reserved: 0 })
      yield* reserve("b", 75)
    }).pipe(Effect.provide(credits())))

  it.effect("rejects an amount beyond the available credits and reports what is missing", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      yield* reserve("b", 40)
      const refused = yield* Effect.flip(reserve("c", 7))
      assert.strictEqual(refused._tag, "InsufficientCredits")
      assert.strictEqual(refused.message, "The account lacks 0.000007 credits for this request")
      assert.notProperty(refused, "spendLimits")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 100 })
    }).pipe(Effect.provide(credits())))

  it.effect("report a retry time for a locked ledger but not for a broken one", () =>
    Effect.forEach([new StoreBusy(), new Error("The disk is full")], (defect) => {
      const broken = Layer.succeed(Transactions, {
        run: () => Effect.die(defect),
        runGuarded: () => Effect.die(defect),
        waiting: Effect.succeed(0),
        unsafeWaiting: () => 0
      })
      const stores = Layer.merge(AccountStore.layerMemory, CreditLedger.layerMemory)
      return Effect.flip(reserve("a", 60)).pipe(
        Effect.map((refused) => {
          assert.strictEqual(refused._tag, "BillingUnavailable")
          assert.strictEqual("retryAfter" in refused, defect instanceof StoreBusy)
        }),
        Effect.provide(Layer.provide(Credits.layer({ prices: { talk: { character: 1 } } }), [stores, broken]))
      )
    }))

  it.effect("reserves once per request, regardless of repeated amounts", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      yield* reserve("a", 60)
      yield* reserve("a", 1_000)
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 60 })
    }).pipe(Effect.provide(credits())))

  it.effect("charges a request once and records it by reference, also when nothing is charged", () =>
    Effect.gen(function*() {
      const { entries } = yield* Credits
      yield* reserve("a", 60)
      yield* settle("a", 25)
      yield* settle("a", 30)
      yield* settle("b", 0)
      yield* settle("b", 10)
      const written = (yield* entries(acme)).map(({ amount, kind, reference }) => ({ amount, kind, reference }))
      assert.deepStrictEqual(written, [
        { amount: 0, kind: "usage", reference: "usage:b" },
        { amount: -25, kind: "usage", reference: "usage:a" },
        { amount: 100, kind: "grant", reference: "first" }
      ])
      assert.deepStrictEqual((yield* usage()).map(({ charged, requests }) => [charged, requests]), [[25, 2]])
    }).pipe(Effect.provide(credits())))

  it.effect("releases a new reservation of a settled request", () =>
    Effect.gen(function*() {
      yield* settle("a", 25)
      yield* reserve("a", 60)
      yield* settle("a", 60)
      assert.deepStrictEqual(yield* standing(), { balance: 75, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("charges a cost above the maximum as far as available, never from other reservations", () =>
    Effect.gen(function*() {
      yield* reserve("a", 20)
      yield* reserve("b", 70)
      yield* settle("a", 50)
      assert.deepStrictEqual(yield* standing(), { balance: 70, reserved: 70 })
      const [line] = yield* usage()
      assert.deepStrictEqual([line?.cost, line?.charged], [50, 30])
      yield* settle("c", 5)
      assert.deepStrictEqual(yield* standing(), { balance: 70, reserved: 70 })
    }).pipe(Effect.provide(credits())))

  it.effect("expires reservations after 15 minutes and charges a late request from the available credits", () =>
    Effect.gen(function*() {
      yield* reserve("a", 80)
      yield* TestClock.adjust("14 minutes")
      yield* Effect.flip(reserve("b", 60))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
      yield* reserve("b", 60)
      yield* settle("a", 80)
      assert.deepStrictEqual(yield* standing(), { balance: 60, reserved: 60 })
    }).pipe(Effect.provide(credits())))

  it.effect("applies the reservation time option", () =>
    Effect.gen(function*() {
      yield* reserve("a", 80)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
    }).pipe(Effect.provide(credits({ reservationTime: "2 seconds" }))))

  it.effect("releases the reservation of a failed request", () =>
    Effect.gen(function*() {
      const { release } = yield* Credits
      yield* reserve("a", 80)
      yield* release("a")
      yield* release("a")
      yield* release("unknown")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
      yield* reserve("a", 100)
    }).pipe(Effect.provide(credits())))

  it.effect("records a family without a price for free, also without credits", () =>
    Effect.gen(function*() {
      const { reserve, settle } = yield* Credits
      const request = { payer: { account_id: globex }, request_id: "a", api: "weather" }
      yield* reserve({ ...request, max: { request: 1 } })
      yield* settle({ ...request, used: { request: 1 } })
      const [line] = yield* usage(globex)
      assert.deepStrictEqual([line?.cost, line?.units], [0, { request: 1 }])
    }).pipe(Effect.provide(credits())))

  it.effect("ask a ledger that failed before the work of an unlimited account, until it works again", () =>
    Effect.gen(function*() {
      const { pay } = yield* Credits
      const fault = yield* LedgerFault
      let worked = 0
      const paying = (request_id: string) =>
        Effect.either(pay(
          asking(request_id, 60, { account_id: free }),
          Effect.sync(() => ({ value: ++worked, used: { character: 60 } }))
        ))
      const attempts: Array<readonly [isPaid: boolean, worked: number]> = []
      for (const request_id of ["a", "b", "c", "d"]) {
        if (request_id < "c") yield* fault.inject(1)
        attempts.push([Either.isRight(yield* paying(request_id)), worked])
        yield* fault.clear
      }
      assert.deepStrictEqual(attempts, [[false, 1], [false, 1], [true, 2], [true, 3]])
    }).pipe(Effect.provide(credits())))

  it.effect("charges and reserves nothing for an unlimited account and records its usage once", () =>
    Effect.gen(function*() {
      yield* reserve("a", 1_000_000, { ...payer, account_id: free })
      assert.deepStrictEqual(yield* standing(free), { balance: null, reserved: 0 })
      yield* settle("a", 1_000, { ...payer, account_id: free })
      yield* settle("a", 1_000, { ...payer, account_id: free })
      const [line] = yield* usage(free)
      assert.deepStrictEqual([line?.cost, line?.charged, line?.requests], [1_000, 0, 1])
    }).pipe(Effect.provide(credits())))

  it.effect("never charges below zero when an account becomes limited during reservations", () =>
    Effect.gen(function*() {
      const who = { account_id: free, key_id: "key-a", budget: { micro_credits: 50, period: "total" } } as const
      yield* reserve("a", 20, who)
      yield* (yield* AccountStore).putAccount(new Account({ account_id: free, plan: "pro", credits: 0 }))
      yield* settle("b", 5, who)
      assert.deepStrictEqual(yield* standing(free), { balance: 0, reserved: 20 })
      yield* settle("a", 20, who)
      assert.deepStrictEqual(yield* standing(free), { balance: 0, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("treats an unknown account as having no credits", () =>
    Effect.gen(function*() {
      const nobody = AccountId.make("nobody")
      assert.strictEqual(
        (yield* Effect.flip(reserve("a", 1, { ...payer, account_id: nobody })))._tag,
        "InsufficientCredits"
      )
      assert.deepStrictEqual(yield* standing(nobody), { balance: 0, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("separates the reservations of accounts", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      yield* Effect.flip(reserve("a", 60, { ...payer, account_id: globex }))
      yield* settle("a", 60, { ...payer, account_id: globex })
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 60 })
      assert.deepStrictEqual(yield* standing(globex), { balance: 0, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("records usage by day in the time zone, by family and by key", () =>
    Effect.gen(function*() {
      const { settle: settleAny } = yield* Credits
      yield* TestClock.setTime(Date.UTC(2026, 0, 5, 18, 29, 59, 999))
      yield* settle("a", 5)
      yield* TestClock.adjust(1)
      yield* settle("b", 6)
      yield* settle("c", 7, { ...payer, key_id: "key-b" })
      yield* settleAny({ payer: { account_id: acme }, request_id: "d", api: "sums", used: { page: 2, character: 9 } })
      const line = { account_id: acme, key_id: "key-a", api: "talk", requests: 1 }
      assert.deepStrictEqual(yield* usage(), [
        { ...line, day: "2026-01-05", units: { character: 5 }, cost: 5, charged: 5 },
        {
          ...line,
          day: "2026-01-06",
          api: "sums",
          key_id: null,
          units: { page: 2, character: 9 },
          cost: 20,
          charged: 20
        },
        { ...line, day: "2026-01-06", units: { character: 6 }, cost: 6, charged: 6 },
        { ...line, day: "2026-01-06", key_id: "key-b", units: { character: 7 }, cost: 7, charged: 7 }
      ])
    }).pipe(Effect.provide(credits())))

  it.effect("grants once per reference", () =>
    Effect.gen(function*() {
      const { entries, grant } = yield* Credits
      const invoice = { account_id: globex, micro_credits: 40, reference: "invoice-1" }
      assert.isTrue(yield* grant(invoice))
      assert.isFalse(yield* grant({ ...invoice, micro_credits: 50 }))
      assert.isTrue(yield* grant({ ...invoice, reference: "invoice-2" }))
      assert.isTrue(yield* grant({ ...invoice, account_id: acme }))
      assert.deepStrictEqual(yield* standing(globex), { balance: 80, reserved: 0 })
      assert.deepStrictEqual((yield* entries(globex, 1)).map(({ reference }) => reference), ["invoice-2"])
    }).pipe(Effect.provide(credits())))

  it.effect("dies for invalid grant amounts and references", () =>
    Effect.gen(function*() {
      const { grant } = yield* Credits
      const wrong = [
        ...[0, -1, 0.5, NaN, Infinity, 2 ** 53].map((micro_credits) => ({ micro_credits, reference: "invoice" })),
        { micro_credits: 1, reference: "usage:a" },
        { micro_credits: Number.MAX_SAFE_INTEGER, reference: "a" }
      ]
      for (const fields of wrong) {
        const exit = yield* Effect.exit(grant({ account_id: acme, ...fields }))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      }
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("dies for fractional units instead of reporting the ledger as unavailable", () =>
    Effect.gen(function*() {
      for (const character of [0.5, -1, NaN]) {
        for (const work of [reserve("a", character), settle("a", character)]) {
          const exit = yield* Effect.exit(work)
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        }
      }
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("dies at construction when the time zone is unknown", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Effect.provide(standing(), credits({ timeZone: "Middle/Earth" })))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
    }))
})
