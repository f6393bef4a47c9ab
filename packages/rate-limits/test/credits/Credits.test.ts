import { assert, describe, it } from "@effect/vitest"
import { StoreBusy, Transactions } from "@trunkline/kernel"
import { Account, AccountId, AccountStore, CreditLedger, Credits } from "@trunkline/rate-limits"
import { Cause, Effect, Exit, Layer, TestClock } from "effect"
import { acme, credits, free, globex, payer, reserve, settle, standing, usage } from "./fixtures.js"

describe("Credits", () => {
  it.effect("sets aside the most that a request may cost, takes what it did cost, and gives the rest back", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 60 })
      yield* settle("a", 25)
      assert.deepStrictEqual(yield* standing(), { balance: 75, reserved: 0 })
      yield* reserve("b", 75)
    }).pipe(Effect.provide(credits())))

  it.effect("refuses what is not there beside what is set aside, says what lacks, and takes nothing", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      yield* reserve("b", 40)
      const refused = yield* Effect.flip(reserve("c", 7))
      assert.strictEqual(refused._tag, "InsufficientCredits")
      assert.strictEqual(refused.message, "The account lacks 0.000007 credits for this request")
      assert.notProperty(refused, "spendLimits")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 100 })
    }).pipe(Effect.provide(credits())))

  it.effect("of a ledger that somebody else has locked say when to try again, of one that breaks nothing", () =>
    Effect.forEach([new StoreBusy(), new Error("The disk is full")], (defect) => {
      const broken = Layer.succeed(Transactions, { run: () => Effect.die(defect), waiting: Effect.succeed(0) })
      const stores = Layer.merge(AccountStore.layerMemory, CreditLedger.layerMemory)
      return Effect.flip(reserve("a", 60)).pipe(
        Effect.map((refused) => {
          assert.strictEqual(refused._tag, "BillingUnavailable")
          assert.strictEqual("retryAfter" in refused, defect instanceof StoreBusy)
        }),
        Effect.provide(Layer.provide(Credits.layer({ prices: { talk: { character: 1 } } }), [stores, broken]))
      )
    }))

  it.effect("sets aside once for a request, however often and for whatever amount it asks", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      yield* reserve("a", 60)
      yield* reserve("a", 1_000)
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 60 })
    }).pipe(Effect.provide(credits())))

  it.effect("charges a request once, and tells so by the reference of its entry, also when nothing was charged", () =>
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

  it.effect("frees what a settled request set aside anew", () =>
    Effect.gen(function*() {
      yield* settle("a", 25)
      yield* reserve("a", 60)
      yield* settle("a", 60)
      assert.deepStrictEqual(yield* standing(), { balance: 75, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("takes what a request did cost over its most as far as it is there, and never what is others'", () =>
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

  it.effect("holds nothing after a quarter of an hour, and charges a late request from what is there", () =>
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

  it.effect("sets aside for as long as it is told", () =>
    Effect.gen(function*() {
      yield* reserve("a", 80)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
    }).pipe(Effect.provide(credits({ reservationTime: "2 seconds" }))))

  it.effect("gives back what was set aside for a request that came to nothing", () =>
    Effect.gen(function*() {
      const { release } = yield* Credits
      yield* reserve("a", 80)
      yield* release("a")
      yield* release("a")
      yield* release("unknown")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
      yield* reserve("a", 100)
    }).pipe(Effect.provide(credits())))

  it.effect("a family without a price costs nothing, even those who have nothing, and is recorded", () =>
    Effect.gen(function*() {
      const { reserve, settle } = yield* Credits
      const request = { payer: { account_id: globex }, request_id: "a", api: "weather" }
      yield* reserve({ ...request, most: { request: 1 } })
      yield* settle({ ...request, used: { request: 1 } })
      const [line] = yield* usage(globex)
      assert.deepStrictEqual([line?.cost, line?.units], [0, { request: 1 }])
    }).pipe(Effect.provide(credits())))

  it.effect("an account without limit is charged nothing and holds nothing, and its usage is recorded once", () =>
    Effect.gen(function*() {
      yield* reserve("a", 1_000_000, { ...payer, account_id: free })
      assert.deepStrictEqual(yield* standing(free), { balance: null, reserved: 0 })
      yield* settle("a", 1_000, { ...payer, account_id: free })
      yield* settle("a", 1_000, { ...payer, account_id: free })
      const [line] = yield* usage(free)
      assert.deepStrictEqual([line?.cost, line?.charged, line?.requests], [1_000, 0, 1])
    }).pipe(Effect.provide(credits())))

  it.effect("an account that gets a limit while its keys hold their budgets is not charged below zero", () =>
    Effect.gen(function*() {
      const who = { account_id: free, key_id: "key-a", budget: { micro_credits: 50, period: "total" } } as const
      yield* reserve("a", 20, who)
      yield* (yield* AccountStore).putAccount(new Account({ account_id: free, plan: "pro", credits: 0 }))
      yield* settle("b", 5, who)
      assert.deepStrictEqual(yield* standing(free), { balance: 0, reserved: 20 })
      yield* settle("a", 20, who)
      assert.deepStrictEqual(yield* standing(free), { balance: 0, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("an unknown account has nothing", () =>
    Effect.gen(function*() {
      const nobody = AccountId.make("nobody")
      assert.strictEqual(
        (yield* Effect.flip(reserve("a", 1, { ...payer, account_id: nobody })))._tag,
        "InsufficientCredits"
      )
      assert.deepStrictEqual(yield* standing(nobody), { balance: 0, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("what one account set aside is of no use to another, and is not freed by it", () =>
    Effect.gen(function*() {
      yield* reserve("a", 60)
      yield* Effect.flip(reserve("a", 60, { ...payer, account_id: globex }))
      yield* settle("a", 60, { ...payer, account_id: globex })
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 60 })
      assert.deepStrictEqual(yield* standing(globex), { balance: 0, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("records usage by day of the time zone, by family and by key", () =>
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

  it.effect("grants whole amounts from 1 under references that no usage has", () =>
    Effect.gen(function*() {
      const { grant } = yield* Credits
      const wrong = [
        ...[0, -1, 0.5, NaN, Infinity, 2 ** 53].map((micro_credits) => ({ micro_credits, reference: "invoice" })),
        { micro_credits: 1, reference: "usage:a" },
        { micro_credits: Number.MAX_SAFE_INTEGER, reference: "a" }
      ]
      for (const given of wrong) {
        const exit = yield* Effect.exit(grant({ account_id: acme, ...given }))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      }
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("units that are not whole are a defect, and not the ledger's fault", () =>
    Effect.gen(function*() {
      for (const character of [0.5, -1, NaN]) {
        for (const work of [reserve("a", character), settle("a", character)]) {
          const exit = yield* Effect.exit(work)
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        }
      }
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("a time zone that does not exist is noticed at the start", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Effect.provide(standing(), credits({ timeZone: "Middle/Earth" })))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
    }))
})
