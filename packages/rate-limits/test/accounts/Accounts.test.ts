import { assert, describe, it } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { Account, AccountId, Accounts, AccountStore, CreditLedger } from "@trunkline/rate-limits"
import { LedgerFault } from "@trunkline/rate-limits/testing"
import { Effect, Layer, Option, TestClock } from "effect"

const account_id = AccountId.make("acme")

const account = (credits: number | null, plan: "starter" | "pro" = "starter") =>
  new Account({ account_id, plan, credits })

const put = (account: Account) => Effect.flatMap(Accounts, (accounts) => accounts.put(account))

const record = Effect.flatMap(AccountStore, (store) => store.findAccount(account_id))
const entries = Effect.flatMap(CreditLedger, (ledger) => ledger.entries(account_id, 10))

const live = Accounts.layer.pipe(
  Layer.provideMerge(LedgerFault.layer),
  Layer.provideMerge(Layer.mergeAll(AccountStore.layerMemory, CreditLedger.layerMemory, Transactions.layerMemory))
)

describe("Accounts", () => {
  it.effect("stores an account and grants its credits once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_000)
      yield* put(account(500))
      yield* TestClock.setTime(2_000)
      yield* put(account(700, "pro"))
      assert.deepStrictEqual(yield* record, Option.some(account(700, "pro")))
      assert.deepStrictEqual(yield* entries, [{
        reference: "grant",
        account_id,
        kind: "grant",
        amount: 500,
        at: 1_000
      }])
    }).pipe(Effect.provide(live)))

  it.effect("grants nothing to an unlimited account or one with 0 credits, and grants credits set later", () =>
    Effect.gen(function*() {
      yield* put(account(null))
      yield* put(account(0))
      assert.deepStrictEqual(yield* entries, [])
      yield* put(account(500))
      assert.deepStrictEqual((yield* entries).map(({ amount }) => amount), [500])
    }).pipe(Effect.provide(live)))

  it.effect("rolls the account back when its grant fails", () =>
    Effect.gen(function*() {
      yield* (yield* LedgerFault).inject(1)
      yield* Effect.exit(put(account(500)))
      assert.deepStrictEqual(yield* record, Option.none())
      assert.deepStrictEqual(yield* entries, [])
    }).pipe(Effect.provide(live)))

  it.effect("grants once under concurrent puts", () =>
    Effect.gen(function*() {
      yield* Effect.forEach([1, 2, 3, 4], () => put(account(500)), { concurrency: "unbounded" })
      assert.strictEqual((yield* entries).length, 1)
    }).pipe(Effect.provide(live)))
})
