import { InsufficientCredits, type SpendLimit } from "@trunkline/errors"
import { makeCounter } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import { type AccountId, AccountStore } from "../accounts/AccountStore.js"
import { CreditLedger, type UsageLine } from "./CreditLedger.js"
import type { Calendar, KeyBudget } from "./KeyBudget.js"
import { microCreditsPerCredit } from "./PriceTable.js"

/** The payer of a request. A `Caller` can be used as a payer. */
export interface Payer {
  readonly account_id: AccountId
  /** The key that was used, for its budget. */
  readonly key_id?: string
  /** The key's budget; absent or null means unlimited. Ignored without a key. */
  readonly budget?: KeyBudget | null
}

/** A request to be covered. */
export interface CoverageRequest {
  readonly payer: Payer
  readonly amount: number
  readonly now: number
}

/** Checks of budgets and credits. To be used inside a transaction that has deleted expired reservations. */
interface Coverage {
  /** True when the account has limited credits; also for unknown accounts. */
  readonly hasLimit: (account: AccountId) => Effect.Effect<boolean>
  /** Fails when the key's budget or the account does not cover the amount; returns whether a reservation is needed. */
  readonly require: (demand: CoverageRequest) => Effect.Effect<boolean, InsufficientCredits>
  /** The part of a cost that can be charged to the account. */
  readonly chargeable: (account: AccountId, cost: number) => Effect.Effect<number>
  /** Budget of the payer's key with what it has used; null without a budget. */
  readonly budget: (payer: Payer, now: number) => Effect.Effect<SpendLimit | null>
}

const refusals = makeCounter({
  name: "trunkline_credits_refused_total",
  help: "Requests that were refused for want of credits, by the limit that they met",
  labels: { limit: ["account", "key"] }
})

const costOf = (lines: ReadonlyArray<UsageLine>) => lines.reduce((sum, { cost }) => sum + cost, 0)

const insufficientMessage = (payer: string, missing: number) =>
  `${payer} lacks ${missing / microCreditsPerCredit} credits for this request`

/** Makes checks from a ledger, and a calendar for budgets. */
export const makeCoverage = (calendar: Calendar) =>
  Effect.gen(function*() {
    const accounts = yield* AccountStore
    const ledger = yield* CreditLedger

    const hasLimit = (account: AccountId) =>
      Effect.map(accounts.findAccount(account), (record) => !Option.exists(record, ({ credits }) => credits === null))

    const available = (account_id: AccountId) =>
      Effect.zipWith(ledger.balance(account_id), ledger.reserved({ account_id }), (balance, reserve) =>
        Math.max(0, balance - reserve))

    const budgetLevel = Effect.fnUntraced(function*(
      { account_id, key_id, now }: { readonly account_id: AccountId; readonly key_id: string; readonly now: number },
      { micro_credits: limit, period }: KeyBudget
    ) {
      const lines = yield* ledger.usage({ account_id, key_id, ...calendar.daysOf(period, now) })
      const reserve = yield* ledger.reserved({ account_id, key_id })
      return { scope: "key", limit, used: costOf(lines) + reserve, resets_at: calendar.endOf(period, now) }
    })

    const requireBudget = Effect.fnUntraced(function*(
      { amount, now, payer: { account_id } }: CoverageRequest,
      key_id: string,
      budget: KeyBudget
    ) {
      const level = yield* budgetLevel({ account_id, key_id, now }, budget)
      const { limit, used } = level
      if (used + amount > limit) {
        return yield* new InsufficientCredits({
          message: insufficientMessage("The budget of this key", used + amount - limit),
          spendLimits: [level]
        })
      }
    })

    const requireCredits = Effect.fnUntraced(function*({ amount, payer: { account_id } }: CoverageRequest) {
      const there = yield* available(account_id)
      if (amount > there) {
        return yield* new InsufficientCredits({ message: insufficientMessage("The account", amount - there) })
      }
    })

    const demand = Effect.fnUntraced(function*(demand: CoverageRequest) {
      const { account_id, budget, key_id } = demand.payer
      const isBudgeted = key_id !== undefined && budget !== undefined && budget !== null
      if (isBudgeted) {
        yield* requireBudget(demand, key_id, budget)
      }
      const isLimited = yield* hasLimit(account_id)
      if (isLimited) {
        yield* requireCredits(demand)
      }
      return isBudgeted || isLimited
    })

    const chargeable = (account: AccountId, cost: number) =>
      Effect.flatMap(hasLimit(account), (isLimited) =>
        isLimited
          ? Effect.map(available(account), (there) =>
            Math.min(cost, there))
          : Effect.succeed(0))

    const demandCounted = (request: CoverageRequest) =>
      Effect.tapError(demand(request), ({ spendLimits = [] }) =>
        Effect.sync(() =>
          refusals.add(1, { limit: spendLimits.length > 0 ? "key" : "account" })
        ))

    const budget = ({ account_id, budget = null, key_id }: Payer, now: number) =>
      budget === null || key_id === undefined
        ? Effect.succeed(null)
        : budgetLevel({ account_id, key_id, now }, budget)

    return { budget, hasLimit, require: demandCounted, chargeable } satisfies Coverage
  })
