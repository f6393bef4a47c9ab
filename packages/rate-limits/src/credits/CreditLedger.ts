import { MemoryTable } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Order } from "effect"
import type { AccountId } from "../accounts/Account.js"

/** Something that changed a balance for good. Amounts are whole micro-credits; the clock is Effect's, not that of calls. */
export interface LedgerEntry {
  /** What caused it, and unique in its account: `grant`, an operator's reference, or `usage:` and a request's id. */
  readonly reference: string
  readonly account_id: AccountId
  readonly kind: "grant" | "usage"
  /** What the balance gains: above zero for a grant, zero or below for usage. */
  readonly amount: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** Micro-credits that are set aside for a request that is being carried out. */
export interface Reservation {
  /** One per request: reserving again under the same id is the same reservation. */
  readonly request_id: string
  readonly account_id: AccountId
  readonly key_id: string | null
  readonly api: string
  readonly amount: number
  /** Epoch milliseconds from which on it holds nothing any more. */
  readonly expires_at: number
}

/** What one key of an account used of one family on one day. Figures are sums. */
export interface UsageLine {
  readonly account_id: AccountId
  readonly key_id: string | null
  /** `YYYY-MM-DD`, in the time zone of the ledger's owner. */
  readonly day: string
  readonly api: string
  readonly requests: number
  /** How much of each unit. */
  readonly units: Readonly<Record<string, number>>
  /** What it cost by the price table, in micro-credits. */
  readonly cost: number
  /** What was taken from the balance for it: less than the cost where the balance did not hold it or has no limit. */
  readonly charged: number
}

/** Which usage: bounds are days, both included. */
export interface UsageQuery {
  readonly account_id: AccountId
  readonly from: string
  readonly to: string
  /** Only this key's. */
  readonly key_id?: string
}

/**
 * Keeps balances, what was set aside, and what was used. It knows no rules: whoever calls it does so inside a
 * transaction, which every call joins. The sum of an account's entries is its balance at every moment.
 */
export class CreditLedger extends Context.Tag("@trunkline/rate-limits/CreditLedger")<CreditLedger, {
  /** Writes an entry and changes the balance by its amount; false, and nothing changes, when its reference is taken. */
  readonly append: (entry: LedgerEntry) => Effect.Effect<boolean>
  /** The sum of an account's entries; 0 without any. */
  readonly balance: (account: AccountId) => Effect.Effect<number>
  /** The newest entries of an account, the last written first. */
  readonly entries: (account: AccountId, limit: number) => Effect.Effect<ReadonlyArray<LedgerEntry>>
  /** Keeps a reservation, in place of the one with the same request id. */
  readonly putReservation: (reservation: Reservation) => Effect.Effect<void>
  /** The reservation of a request, expired or not. */
  readonly findReservation: (request_id: string) => Effect.Effect<Option.Option<Reservation>>
  /** Forgets a reservation; harmless when there is none. */
  readonly deleteReservation: (request_id: string) => Effect.Effect<void>
  /** Forgets every reservation that expired at or before a moment. */
  readonly deleteExpired: (now: number) => Effect.Effect<void>
  /** What the kept reservations of an account, or of one of its keys, hold together; expired ones too. */
  readonly reserved: (holder: { readonly account_id: AccountId; readonly key_id?: string }) => Effect.Effect<number>
  /** Adds figures to the line of their account, key, day and family. */
  readonly addUsage: (line: UsageLine) => Effect.Effect<void>
  /** The lines that a query asks for, by day, then family, then key; those without a key before those with one. */
  readonly usage: (query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageLine>>
}>() {
  /** Keeps everything in memory. */
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
        Effect.suspend(() =>
          Effect.forEach(
            Array.from(reservations.values()).filter(({ expires_at }) => expires_at <= now),
            ({ request_id }) => reservations.delete(request_id),
            { discard: true }
          )
        ),
      reserved: ({ account_id, key_id }) =>
        Effect.sync(() =>
          Array.from(reservations.values())
            .filter((held) => held.account_id === account_id && (key_id === undefined || held.key_id === key_id))
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
