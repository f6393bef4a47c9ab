import { BillingUnavailable, type InsufficientCredits } from "@trunkline/errors"
import { DEFAULT_TIME_ZONE, describeCause, StoreBusy, Transactions } from "@trunkline/kernel"
import { Array, Cause, Clock, Context, Duration, Effect, Layer, Option } from "effect"
import type { AccountId } from "../accounts/Account.js"
import { calendarOf } from "./Calendar.js"
import { makeCoverage } from "./Coverage.js"
import { CreditLedger, type LedgerEntry, type Reservation, type UsageLine, type UsageQuery } from "./CreditLedger.js"
import type { KeyBudget } from "./KeyBudget.js"
import { priceOf, type PriceTable, priceTable, type Units } from "./PriceTable.js"

/** Who pays for a request. A `Caller` is one. */
export interface Payer {
  readonly account_id: AccountId
  /** The key that was used; its budget holds too. */
  readonly key_id?: string
  /** The key's budget; none when absent or null. It means nothing without a key. */
  readonly budget?: KeyBudget | null
}

/** A request that is going to cost something. */
export interface Charging {
  readonly payer: Payer
  readonly request_id: string
  /** The family in the price table. */
  readonly api: string
  /** The most that it can use. */
  readonly most: Units
}

/** A request that is done and did cost something. */
export interface Settling extends Omit<Charging, "most"> {
  readonly used: Units
}

/** How an account stands, in micro-credits. */
export interface Standing {
  /** What is left by the ledger; null means without limit. */
  readonly balance: number | null
  /** What is set aside for requests that are being carried out. */
  readonly reserved: number
}

/** How credits are counted. */
export interface CreditsOptions {
  /** What things cost; `priceTable` unless given. */
  readonly prices?: PriceTable
  /** Whose days usage and budgets are counted by; Asia/Kolkata unless given. A name that is no time zone is a defect. */
  readonly timeZone?: string
  /** How long something is set aside at the most; a quarter of an hour unless given (reliability 2.3). */
  readonly reservationTime?: Duration.DurationInput
}

/**
 * Pays for requests from prepaid credits: sets aside what a request may cost at the most, and takes what it did cost
 * (specification, Credits; reliability 2.3). Balances never go below zero, and asking twice for the same request pays
 * once. When the ledger cannot be used, nothing is done: `BillingUnavailable`, which says when to try again if another
 * process has it locked.
 *
 * An account whose `credits` are null has no limit: nothing is taken from it, but its usage is recorded and the budgets
 * of its keys hold. Every call is a transaction of its own: do not call inside another.
 */
export class Credits extends Context.Tag("@trunkline/rate-limits/Credits")<Credits, {
  /**
   * Sets aside what a request may cost. Asking again for a request that has something set aside changes nothing. Fails
   * with `InsufficientCredits` when the budget of the key or what the account has left does not cover it.
   */
  readonly reserve: (charging: Charging) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  /**
   * Takes what a request did cost, gives the rest back, and records the usage. What the account does not have, beside
   * what is set aside for others, is not taken. Only the first settling counts; it leaves an entry, be it of 0.
   */
  readonly settle: (settling: Settling) => Effect.Effect<void, BillingUnavailable>
  /** Gives back what was set aside for a request that came to nothing. */
  readonly release: (request_id: string) => Effect.Effect<void, BillingUnavailable>
  /**
   * Carries out work that is paid for: reserves, works, and settles with what the work says it used. Work that fails
   * or is interrupted costs nothing; work whose usage cannot be recorded fails with `BillingUnavailable`.
   */
  readonly pay: <A, E, R>(
    charging: Charging,
    work: Effect.Effect<{ readonly value: A; readonly used: Units }, E, R>
  ) => Effect.Effect<A, E | InsufficientCredits | BillingUnavailable, R>
  /**
   * Adds micro-credits to an account; false when this reference was granted before, and then nothing is added. An amount
   * that is not a whole number from 1, a balance of more than 2^53, and a reference that begins with `usage:` are defects.
   */
  readonly grant: (grant: {
    readonly account_id: AccountId
    readonly micro_credits: number
    /** What it is for, such as an invoice's number. */
    readonly reference: string
  }) => Effect.Effect<boolean>
  /** How an account stands; an unknown one has nothing. */
  readonly standing: (account: AccountId) => Effect.Effect<Standing>
  /** The newest entries of an account's ledger, newest first; 100 unless told. */
  readonly entries: (account: AccountId, limit?: number) => Effect.Effect<ReadonlyArray<LedgerEntry>>
  /** What was used, by day, family and key. */
  readonly usage: (query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageLine>>
}>() {
  /** Pays out of the ledger. */
  static readonly layer = (options: CreditsOptions = {}) => Layer.effect(Credits, make(options))
}

const usagePrefix = "usage:"

const busyIn = (cause: Cause.Cause<unknown>) =>
  Option.match(Array.findFirst(Cause.defects(cause), (defect) => defect instanceof StoreBusy), {
    onNone: () => ({}),
    onSome: ({ retryAfter }) => ({ retryAfter })
  })

const orUnavailable = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | BillingUnavailable> =>
  Effect.catchAllCause(work, (cause): Effect.Effect<never, E | BillingUnavailable> =>
    Cause.isDie(cause)
      ? Effect.zipRight(
        Effect.logError("The credit ledger could not be used", describeCause(cause)),
        new BillingUnavailable(busyIn(cause))
      )
      : Effect.failCause(cause))

const make = (options: CreditsOptions) =>
  Effect.gen(function*() {
    const { prices = priceTable, reservationTime = "15 minutes", timeZone = DEFAULT_TIME_ZONE } = options
    const lifetime = Duration.toMillis(reservationTime)
    const calendar = calendarOf(timeZone)
    const coverage = yield* makeCoverage(calendar)
    const ledger = yield* CreditLedger
    const { run } = yield* Transactions

    /** One transaction, in which nothing expired is kept. */
    const transact = <A, E>(work: (now: number) => Effect.Effect<A, E>) =>
      run(Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.zipRight(ledger.deleteExpired(now), work(now))))

    const hold = Effect.fnUntraced(function*(
      reservation: Reservation,
      demanding: Effect.Effect<boolean, InsufficientCredits>
    ) {
      const held = yield* ledger.findReservation(reservation.request_id)
      if (Option.isNone(held)) {
        if (yield* demanding) yield* ledger.putReservation(reservation)
      } else if (held.value.account_id !== reservation.account_id) {
        return yield* Effect.dieMessage("The request is another account's")
      }
    })

    /** Nothing is demanded of who has no limit. These two stand around every request that is paid for: no spans. */
    const isFree = ({ account_id, budget = null }: Payer) =>
      budget === null ? Effect.map(coverage.hasLimit(account_id), (isLimited) => !isLimited) : Effect.succeed(false)

    const reserve = Effect.fnUntraced(function*({ api, most, payer, request_id }: Charging) {
      const amount = priceOf(prices, { api, count: most })
      if (amount === 0 || (yield* orUnavailable(isFree(payer)))) return
      const { account_id, key_id = null } = payer
      const holding = transact((now) =>
        hold(
          { request_id, account_id, key_id, api, amount, expires_at: now + lifetime },
          coverage.demand({ payer, amount, now })
        )
      )
      yield* orUnavailable(holding)
    })

    const take = Effect.fnUntraced(function*({ api, payer, request_id, used }: Settling, cost: number, now: number) {
      const { account_id, key_id = null } = payer
      const held = yield* ledger.findReservation(request_id)
      const isOurs = Option.exists(held, (reservation) => reservation.account_id === account_id)
      if (isOurs) yield* ledger.deleteReservation(request_id)
      const charged = yield* coverage.chargeable(account_id, cost)
      const reference = `${usagePrefix}${request_id}`
      const isFirst = yield* ledger.append({ reference, account_id, kind: "usage", amount: 0 - charged, at: now })
      const day = calendar.dayOf(now)
      const line = { account_id, key_id, day, api, requests: 1, units: { ...used }, cost, charged }
      if (isFirst) yield* ledger.addUsage(line)
    })

    const settle = (settling: Settling) =>
      Effect.suspend(() => {
        const cost = priceOf(prices, { api: settling.api, count: settling.used })
        return orUnavailable(transact((now) => take(settling, cost, now)))
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
        ).pipe(Effect.withSpan("Credits.pay")),
      grant: Effect.fn("Credits.grant")(function*({ account_id, micro_credits: amount, reference }) {
        if (amount < 1 || !Number.isSafeInteger(amount)) {
          return yield* Effect.dieMessage("A grant is a whole number from 1")
        }
        if (reference.startsWith(usagePrefix)) return yield* Effect.dieMessage("usage: is not for grants")
        const at = yield* Clock.currentTimeMillis
        return yield* run(Effect.gen(function*() {
          if (!Number.isSafeInteger((yield* ledger.balance(account_id)) + amount)) {
            return yield* Effect.dieMessage("A balance above 2^53 micro-credits would not be exact")
          }
          return yield* ledger.append({ reference, account_id, kind: "grant", amount, at })
        }))
      }),
      standing: Effect.fn("Credits.standing")(function*(account_id) {
        const standing = Effect.all({
          balance: Effect.if(coverage.hasLimit(account_id), {
            onTrue: () => ledger.balance(account_id),
            onFalse: () => Effect.succeed(null)
          }),
          reserved: ledger.reserved({ account_id })
        })
        return yield* transact(() => standing)
      }),
      entries: (account, limit = 100) => ledger.entries(account, limit),
      usage: ledger.usage
    })
  })
