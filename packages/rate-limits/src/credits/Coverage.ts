import { InsufficientCredits } from "@trunkline/errors"
import { Effect, Option } from "effect"
import type { AccountId } from "../accounts/Account.js"
import { AccountStore } from "../accounts/AccountStore.js"
import type { Calendar } from "./Calendar.js"
import { CreditLedger, type UsageLine } from "./CreditLedger.js"
import type { Payer } from "./Credits.js"
import type { KeyBudget } from "./KeyBudget.js"
import { microCreditsPerCredit } from "./PriceTable.js"

interface Demand {
  readonly payer: Payer
  readonly amount: number
  readonly now: number
}

/** What there is to pay from. Its functions belong in a transaction in which nothing expired is kept. */
export interface Coverage {
  /** Whether an account can run out of credits; an unknown one can. */
  readonly hasLimit: (account: AccountId) => Effect.Effect<boolean>
  /** Refuses what the key's budget or the account does not cover; says whether it has to be set aside. */
  readonly demand: (demand: Demand) => Effect.Effect<boolean, InsufficientCredits>
  /** How much of a cost can be taken from an account. */
  readonly chargeable: (account: AccountId, cost: number) => Effect.Effect<number>
}

const costOf = (lines: ReadonlyArray<UsageLine>) => lines.reduce((sum, { cost }) => sum + cost, 0)

const lacking = (who: string, missing: number) =>
  `${who} lacks ${missing / microCreditsPerCredit} credits for this request`

/** Coverage by a ledger, with budgets by a calendar. */
export const makeCoverage = (calendar: Calendar) =>
  Effect.gen(function*() {
    const accounts = yield* AccountStore
    const ledger = yield* CreditLedger

    const hasLimit = (account: AccountId) =>
      Effect.map(accounts.findAccount(account), (found) => !Option.exists(found, ({ credits }) => credits === null))

    const available = (account_id: AccountId) =>
      Effect.zipWith(ledger.balance(account_id), ledger.reserved({ account_id }), (balance, reserved) =>
        Math.max(0, balance - reserved))

    const demandBudget = Effect.fnUntraced(function*(
      { amount, now, payer: { account_id } }: Demand,
      key_id: string,
      { micro_credits: limit, period }: KeyBudget
    ) {
      const lines = yield* ledger.usage({ account_id, key_id, ...calendar.daysOf(period, now) })
      const reserved = yield* ledger.reserved({ account_id, key_id })
      const used = costOf(lines) + reserved
      if (used + amount > limit) {
        return yield* new InsufficientCredits({
          message: lacking("The budget of this key", used + amount - limit),
          spendLimits: [{ scope: "key", limit, used, resets_at: calendar.endOf(period, now) }]
        })
      }
    })

    const demandCredits = Effect.fnUntraced(function*({ amount, payer: { account_id } }: Demand) {
      const there = yield* available(account_id)
      if (amount > there) {
        return yield* new InsufficientCredits({ message: lacking("The account", amount - there) })
      }
    })

    const demand = Effect.fnUntraced(function*(demand: Demand) {
      const { account_id, budget, key_id } = demand.payer
      const isBudgeted = key_id !== undefined && budget !== undefined && budget !== null
      if (isBudgeted) {
        yield* demandBudget(demand, key_id, budget)
      }
      const isLimited = yield* hasLimit(account_id)
      if (isLimited) {
        yield* demandCredits(demand)
      }
      return isBudgeted || isLimited
    })

    const chargeable = Effect.fnUntraced(function*(account: AccountId, cost: number) {
      return (yield* hasLimit(account)) ? Math.min(cost, yield* available(account)) : 0
    })

    return { hasLimit, demand, chargeable } satisfies Coverage
  })
