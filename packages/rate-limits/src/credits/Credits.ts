import type { BillingUnavailable, InsufficientCredits, SpendLimit } from "@trunkline/errors"
import { defaultTimeZone, flatMapNow, lruCache, Transactions, withSpan } from "@trunkline/kernel"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import type { AccountId } from "../accounts/AccountStore.js"
import { type CoverageRequest, makeCoverage, type Payer } from "./Coverage.js"
import { CreditLedger, type LedgerEntry, type Reservation, type UsageLine, type UsageQuery } from "./CreditLedger.js"
import { calendarOf } from "./KeyBudget.js"
import { orUnavailable } from "./LedgerOutage.js"
import { makePaymentBatches } from "./PaymentBatches.js"
import { priceOf, type PriceTable, priceTable, type Units } from "./PriceTable.js"

/** A request to be paid for. */
export interface Charge {
  readonly payer: Payer
  readonly request_id: string
  /** Family in the price table. */
  readonly api: string
  /** Maximum usage. */
  readonly max: Units
}

/** A completed request with its actual usage. */
export interface ChargeSettlement extends Omit<Charge, "max"> {
  readonly used: Units
}

/** Balance of an account, in micro-credits. */
export interface CreditBalance {
  /** Ledger balance; null means unlimited. */
  readonly balance: number | null
  /** Amount reserved for requests in progress. */
  readonly reserved: number
}

/** Options of {@link Credits}. */
export interface CreditsOptions {
  /** Prices; default `priceTable`. */
  readonly prices?: PriceTable
  /** Time zone of usage days and budgets; default Asia/Kolkata. The layer dies when the name is unknown. */
  readonly timeZone?: string
  /** Lifetime of a reservation; default 15 minutes. */
  readonly reservationTime?: Duration.DurationInput
}

/**
 * Charges requests to prepaid credits: reserves the maximum cost of a request and charges its actual cost. Balances never
 * go below zero, and a request is charged once however often it is settled. When the ledger is unavailable, operations
 * fail with `BillingUnavailable`, which has a retry time when another process holds a lock.
 *
 * An account whose `credits` are null is unlimited: nothing is charged, but its usage is recorded and the budgets of its
 * keys apply. Every operation has a transaction, which payments that arrive together share; do not call it inside another.
 */
export class Credits extends Context.Tag("@trunkline/rate-limits/Credits")<Credits, {
  /**
   * Reserves the maximum cost of a request. Idempotent per request. Fails with `InsufficientCredits` when the key's budget
   * or the account's available credits do not cover it.
   */
  readonly reserve: (charging: Charge) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  /**
   * Charges the actual cost, releases the reservation and records the usage. Charges at most the account's available
   * credits. Only the first settlement of a request counts; it always writes an entry (docs/decisions.md, 36).
   */
  readonly settle: (settling: ChargeSettlement) => Effect.Effect<void, BillingUnavailable>
  /** Releases the reservation of a failed request. */
  readonly release: (request_id: string) => Effect.Effect<void, BillingUnavailable>
  /**
   * Runs paid work: reserves, runs it, and settles the usage that it reports. Failed or interrupted work is free; work whose
   * usage cannot be recorded fails with `BillingUnavailable`.
   */
  readonly pay: <A, E, R>(
    charging: Charge,
    work: Effect.Effect<{ readonly value: A; readonly used: Units }, E, R>
  ) => Effect.Effect<A, E | InsufficientCredits | BillingUnavailable, R>
  /**
   * Adds micro-credits to an account; returns false, and adds nothing, when the reference was granted before. Dies when the
   * amount is not a positive whole number, the balance would exceed 2^53, or the reference begins with `usage:`.
   */
  readonly grant: (grant: {
    readonly account_id: AccountId
    readonly micro_credits: number
    /** Reason, such as an invoice number. */
    readonly reference: string
  }) => Effect.Effect<boolean>
  /** Balance and reserved amount of an account; an unknown account has none. */
  readonly balance: (account: AccountId) => Effect.Effect<CreditBalance>
  /** Budget of the payer's key with what it has used; null without a budget. */
  readonly budget: (payer: Payer) => Effect.Effect<SpendLimit | null>
  /** The newest ledger entries of an account, newest first; default limit 100. */
  readonly entries: (account: AccountId, limit?: number) => Effect.Effect<ReadonlyArray<LedgerEntry>>
  /** Usage by day, family and key. */
  readonly usage: (query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageLine>>
}>() {
  /** Uses the credit ledger. */
  static readonly layer = (options: CreditsOptions = {}) => Layer.effect(Credits, make(options))
}

const usagePrefix = "usage:"
/** Most accounts that are cached as limited. */
const maxLimitedAccounts = 10_000

const make = (options: CreditsOptions) =>
  Effect.gen(function*() {
    const { prices = priceTable, reservationTime = "15 minutes", timeZone = defaultTimeZone } = options
    const lifetime = Duration.toMillis(reservationTime)
    const calendar = calendarOf(timeZone)
    const coverage = yield* makeCoverage(calendar)
    const ledger = yield* CreditLedger
    const { run } = yield* Transactions
    const inBatch = makePaymentBatches(run)

    const afterExpiry = <A, E>(work: (now: number) => Effect.Effect<A, E>) =>
      Effect.clockWith((clock) => {
        const now = clock.unsafeCurrentTimeMillis()
        return flatMapNow(ledger.deleteExpired(now), () => work(now))
      })

    const hold = Effect.fnUntraced(function*(
      reservation: Reservation,
      demanding: Effect.Effect<boolean, InsufficientCredits>
    ) {
      const existing = yield* ledger.findReservation(reservation.request_id)
      if (Option.isNone(existing)) {
        if (yield* demanding) yield* ledger.putReservation(reservation)
      } else if (existing.value.account_id !== reservation.account_id) {
        return yield* Effect.dieMessage("The request belongs to another account")
      }
    })

    /** Accounts whose last payment was limited. */
    const limitedAccounts = lruCache<AccountId, true>(maxLimitedAccounts)
    const cacheLimited = (account: AccountId) => limitedAccounts.set(account, true)

    /**
     * Skips the transaction for unlimited payers; that of a limited one checks it again. This and `reserve` run for every
     * paid request, hence without spans and generators.
     */
    const isFree = ({ account_id, budget = null }: Payer) =>
      budget !== null || limitedAccounts.has(account_id)
        ? Effect.succeed(false)
        : Effect.map(coverage.hasLimit(account_id), (isLimited) => {
          if (isLimited) cacheLimited(account_id)
          return !isLimited
        })

    const requireCoverage = (request: CoverageRequest) =>
      Effect.tap(coverage.require(request), (needsReservation) => {
        if (!needsReservation) limitedAccounts.delete(request.payer.account_id)
        return Effect.void
      })

    /** True after a settlement has failed. Then the ledger is asked before the work of unlimited payers, too. */
    let isSuspect = false
    const setSuspect = (value: boolean) => Effect.sync(() => void (isSuspect = value))
    const checkLedger = Effect.zipRight(inBatch(afterExpiry(() => Effect.void)), setSuspect(false))

    const reserve = ({ api, max, payer, request_id }: Charge) =>
      Effect.suspend(() => {
        const amount = priceOf(prices, { api, count: max })
        if (amount === 0) return Effect.void
        const { account_id, key_id = null } = payer
        const holding = afterExpiry((now) => {
          const reservation = { request_id, account_id, key_id, api, amount, expires_at: now + lifetime }
          return hold(reservation, requireCoverage({ payer, amount, now }))
        })
        return Effect.flatMap(orUnavailable(isFree(payer)), (isFree) => {
          if (!isFree) return orUnavailable(inBatch(holding))
          return isSuspect ? orUnavailable(checkLedger) : Effect.void
        })
      })

    /** For every paid request, like `reserve`. */
    const take = ({ api, payer, request_id, used }: ChargeSettlement, cost: number, now: number) => {
      const { account_id, key_id = null } = payer
      const reference = `${usagePrefix}${request_id}`
      const record = (price: number) =>
        Effect.flatMap(
          ledger.append({ reference, account_id, kind: "usage", amount: 0 - price, at: now }),
          (isFirst) => {
            const day = calendar.dayOf(now)
            const line = { account_id, key_id, day, api, requests: 1, units: { ...used }, cost, charged: price }
            return isFirst ? ledger.addUsage(line) : Effect.void
          }
        )
      const charge = () => Effect.flatMap(coverage.chargeable(account_id, cost), record)
      return Effect.flatMap(ledger.findReservation(request_id), (existing) =>
        Option.exists(existing, (reservation) =>
            reservation.account_id === account_id)
          ? Effect.flatMap(ledger.deleteReservation(request_id), charge)
          : charge())
    }

    const settle = (settling: ChargeSettlement) =>
      Effect.suspend(() => {
        const cost = priceOf(prices, { api: settling.api, count: settling.used })
        const taking = orUnavailable(inBatch(afterExpiry((now) =>
          take(settling, cost, now)
        )))
        return Effect.tapError(taking, () => setSuspect(true))
      })

    const release = (request_id: string) => orUnavailable(run(ledger.deleteReservation(request_id)))

    return Credits.of({
      reserve,
      settle,
      release,
      pay: (charging, work) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.zipRight(
            reserve(charging),
            restore(work).pipe(
              Effect.flatMap(({ used, value }) => Effect.as(settle({ ...charging, used }), value)),
              Effect.onError(() => Effect.ignore(release(charging.request_id)))
            )
          )
        ).pipe(withSpan("Credits.pay")),
      grant: Effect.fn("Credits.grant")(function*({ account_id, micro_credits: amount, reference }) {
        if (amount < 1 || !Number.isSafeInteger(amount)) {
          return yield* Effect.dieMessage("A grant must be a positive whole number")
        }
        if (reference.startsWith(usagePrefix)) {
          return yield* Effect.dieMessage("The reference of a grant must not begin with usage:")
        }
        const at = yield* Clock.currentTimeMillis
        return yield* run(Effect.gen(function*() {
          if (!Number.isSafeInteger((yield* ledger.balance(account_id)) + amount)) {
            return yield* Effect.dieMessage("A balance above 2^53 micro-credits would not be exact")
          }
          return yield* ledger.append({ reference, account_id, kind: "grant", amount, at })
        }))
      }),
      balance: Effect.fn("Credits.standing")(function*(account_id) {
        const standing = Effect.all({
          balance: Effect.if(coverage.hasLimit(account_id), {
            onTrue: () => ledger.balance(account_id),
            onFalse: () => Effect.succeed(null)
          }),
          reserved: ledger.reserved({ account_id })
        })
        return yield* run(afterExpiry(() => standing))
      }),
      budget: (payer) => run(afterExpiry((now) => coverage.budget(payer, now))),
      entries: (account, limit = 100) => ledger.entries(account, limit),
      usage: ledger.usage
    })
  })
