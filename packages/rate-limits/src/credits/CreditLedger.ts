import { MemoryTable } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Order } from "effect"
import type { AccountId } from "../accounts/AccountStore.js"

/** A permanent change of a balance. Amounts are whole micro-credits; times use Effect's Clock, not business time. */
export interface LedgerEntry {
  /** Reason, unique per account: `grant`, an operator's reference, or `usage:` and a request id. */
  readonly reference: string
  readonly account_id: AccountId
  readonly kind: "grant" | "usage"
  /** Change of the balance: positive for grants, zero or negative for usage. */
  readonly amount: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** Micro-credits reserved for a request in progress. */
export interface Reservation {
  /** Identifies the reservation: one per request. */
  readonly request_id: string
  readonly account_id: AccountId
  readonly key_id: string | null
  readonly api: string
  readonly amount: number
  /** Expiry in epoch milliseconds. */
  readonly expires_at: number
}

/** Total usage of one family by one key on one day. */
export interface UsageLine {
  readonly account_id: AccountId
  readonly key_id: string | null
  /** `YYYY-MM-DD` in the time zone of `Credits`. */
  readonly day: string
  readonly api: string
  readonly requests: number
  /** Quantity per unit. */
  readonly units: Readonly<Record<string, number>>
  /** Cost in micro-credits, according to the price table. */
  readonly cost: number
  /** Amount charged in micro-credits: less than the cost when the balance was too low or the account is unlimited. */
  readonly charged: number
}

/** Selection of usage, by inclusive days. */
export interface UsageQuery {
  readonly account_id: AccountId
  readonly from: string
  readonly to: string
  /** Restricts the result to one key. */
  readonly key_id?: string
}

/**
 * Storage of balances, reservations and usage. Contains no rules: callers run it inside a transaction, which every
 * operation joins. An account's balance is always the sum of its entries.
 */
export class CreditLedger extends Context.Tag("@trunkline/rate-limits/CreditLedger")<CreditLedger, {
  /** Appends an entry and updates the balance; returns false and changes nothing when the reference is taken. */
  readonly append: (entry: LedgerEntry) => Effect.Effect<boolean>
  /** Balance of an account; 0 without entries. */
  readonly balance: (account: AccountId) => Effect.Effect<number>
  /** The newest entries of an account, newest first. */
  readonly entries: (account: AccountId, limit: number) => Effect.Effect<ReadonlyArray<LedgerEntry>>
  /** Adds or replaces a reservation. */
  readonly putReservation: (reservation: Reservation) => Effect.Effect<void>
  /** Finds the reservation of a request, expired or not. */
  readonly findReservation: (request_id: string) => Effect.Effect<Option.Option<Reservation>>
  /** Deletes a reservation, if it exists. */
  readonly deleteReservation: (request_id: string) => Effect.Effect<void>
  /** Deletes all reservations that have expired at `now`. */
  readonly deleteExpired: (now: number) => Effect.Effect<void>
  /** Total of the stored reservations of an account or key, including expired ones. */
  readonly reserved: (holder: { readonly account_id: AccountId; readonly key_id?: string }) => Effect.Effect<number>
  /** Adds usage to the line of its account, key, day and family. */
  readonly addUsage: (line: UsageLine) => Effect.Effect<void>
  /** Selected lines, sorted by day, family and key; lines without a key come first. */
  readonly usage: (query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageLine>>
}>() {
  /** Stores the ledger in memory. */
  static readonly layerMemory = Layer.sync(CreditLedger, () => {
    const balances = MemoryTable.make<AccountId, number>()
    const entries = MemoryTable.make<string, LedgerEntry>()
    const lines = MemoryTable.make<string, UsageLine>()
    const reservations = MemoryTable.make<string, Reservation>()
    const balanceOf = (account: AccountId) => balances.get(account) ?? 0

    return CreditLedger.of({
      append: (entry) =>
        Effect.suspend(() => {
          const { account_id, amount, reference } = entry
          const id = JSON.stringify([account_id, reference])
          if (entries.has(id)) return Effect.succeed(false)
          return Effect.as(
            Effect.zipRight(entries.set(id, entry), balances.set(account_id, balanceOf(account_id) + amount)),
            true
          )
        }),
      balance: (account) => Effect.sync(() => balanceOf(account)),
      entries: (account, limit) =>
        Effect.sync(() =>
          Array.from(entries.values())
            .filter(({ account_id }) => account_id === account)
            .reverse()
            .slice(0, limit)
        ),
      putReservation: (reservation) => reservations.set(reservation.request_id, reservation),
      findReservation: (request_id) => Effect.sync(() => Option.fromNullable(reservations.get(request_id))),
      deleteReservation: (request_id) => Effect.asVoid(reservations.delete(request_id)),
      deleteExpired: (now) =>
        Effect.suspend(() => {
          const expiredReservations = Array.from(reservations.values()).filter(({ expires_at }) => expires_at <= now)
          return expiredReservations.length === 0
            ? Effect.void
            : Effect.forEach(expiredReservations, ({ request_id }) => reservations.delete(request_id), {
              discard: true
            })
        }),
      reserved: ({ account_id, key_id }) =>
        Effect.sync(() =>
          Array.from(reservations.values())
            .filter((reservation) =>
              reservation.account_id === account_id && (key_id === undefined || reservation.key_id === key_id)
            )
            .reduce((sum, { amount }) => sum + amount, 0)
        ),
      addUsage: (line) =>
        Effect.suspend(() => {
          const id = JSON.stringify([line.account_id, line.key_id, line.day, line.api])
          const before = lines.get(id)
          return lines.set(id, before === undefined ? line : total(before, line))
        }),
      usage: ({ account_id, from, key_id, to }) =>
        Effect.sync(() =>
          Array.from(lines.values())
            .filter((line) =>
              line.account_id === account_id && from <= line.day && line.day <= to &&
              (key_id === undefined || line.key_id === key_id)
            )
            .sort(byDayFamilyAndKey)
        )
    })
  })
}

const total = (a: UsageLine, b: UsageLine): UsageLine => ({
  ...a,
  requests: a.requests + b.requests,
  units: Object.entries(b.units).reduce<UsageLine["units"]>(
    (units, [unit, count]) => ({ ...units, [unit]: (units[unit] ?? 0) + count }),
    a.units
  ),
  cost: a.cost + b.cost,
  charged: a.charged + b.charged
})

const byDayFamilyAndKey: Order.Order<UsageLine> = Order.combineAll([
  Order.mapInput(Order.string, ({ day }: UsageLine) => day),
  Order.mapInput(Order.string, ({ api }: UsageLine) => api),
  Order.mapInput(Order.string, ({ key_id }: UsageLine) => key_id ?? "")
])
