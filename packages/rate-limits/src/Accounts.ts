import { Transactions } from "@trunkline/kernel"
import { Clock, Context, Effect, Layer } from "effect"
import { type Account, AccountStore } from "./accounts/AccountStore.js"
import { CreditLedger } from "./credits/CreditLedger.js"

/** Reference of the initial grant in an account's ledger. */
const reference = "grant"

/** Creates accounts with their initial credits. */
export class Accounts extends Context.Tag("@trunkline/rate-limits/Accounts")<Accounts, {
  /**
   * Adds or replaces an account, in one transaction, and grants its initial credits unless they were granted before. Null
   * (unlimited) and 0 grant nothing.
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
