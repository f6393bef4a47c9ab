import { Context, type Effect, type Option } from "effect"
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
  /** Epoch milliseconds after which it holds nothing any more. */
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
  /** The newest entries of an account, newest first. */
  readonly entries: (account: AccountId, limit: number) => Effect.Effect<ReadonlyArray<LedgerEntry>>
  /** Keeps a reservation, in place of the one with the same request id. */
  readonly putReservation: (reservation: Reservation) => Effect.Effect<void>
  /** The reservation of a request, expired or not. */
  readonly findReservation: (request_id: string) => Effect.Effect<Option.Option<Reservation>>
  /** Forgets a reservation; harmless when there is none. */
  readonly deleteReservation: (request_id: string) => Effect.Effect<void>
  /** Forgets every reservation that expired at or before a moment. */
  readonly deleteExpired: (now: number) => Effect.Effect<void>
  /** What the reservations of an account, or of one of its keys, hold together. */
  readonly reserved: (holder: { readonly account_id: AccountId; readonly key_id?: string }) => Effect.Effect<number>
  /** Adds figures to the line of their account, key, day and family. */
  readonly addUsage: (line: UsageLine) => Effect.Effect<void>
  /** The lines that a query asks for, by day, then family, then key. */
  readonly usage: (query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageLine>>
}>() {}
