import { Transactions } from "@trunkline/kernel"
import { Clock, Context, Effect, Layer } from "effect"
import { CreditLedger } from "../credits/CreditLedger.js"
import type { Account } from "./Account.js"
import { AccountStore } from "./AccountStore.js"

/** The reference of the one-time grant in an account's ledger. */
const reference = "grant"

/** Opens accounts with the credits that they are given once (specification, Credits). */
export class Accounts extends Context.Tag("@trunkline/rate-limits/Accounts")<Accounts, {
  /**
   * Keeps an account, in place of the one with the same id, and grants it its credits if it was never granted any.
   * Without limit (null) and 0 grant nothing.
   */
  readonly put: (account: Account) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function*() {
      const ledger = yield* CreditLedger
      const store = yield* AccountStore
      const { run } = yield* Transactions
      return Accounts.of({
        put: Effect.fn("Accounts.put")(function*(account: Account) {
          yield* store.putAccount(account)
          const { account_id, credits } = account
          if (credits === null || credits === 0) return
          const at = yield* Clock.currentTimeMillis
          yield* ledger.append({ reference, account_id, kind: "grant", amount: credits, at })
        }, run)
      })
    })
  )
}
