import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { Context, type Effect } from "effect"
import type { AccountId } from "../accounts/Account.js"
import type { LedgerEntry, UsageLine, UsageQuery } from "./CreditLedger.js"
import type { Units } from "./PriceTable.js"

/** Who pays for a request. A `Caller` is one. */
export interface Payer {
  readonly account_id: AccountId
  /** The key that was used; its budget holds too. */
  readonly key_id?: string
  readonly budget?: KeyBudget | null
}

/** What a key may spend of its account's credits: a seat's budget. */
export interface KeyBudget {
  /** Whole micro-credits. */
  readonly micro_credits: number
  /** When it starts anew: every day or month in the ledger's time zone, or never. */
  readonly period: "day" | "month" | "total"
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

/** How an account stands, in micro-credits. */
export interface Standing {
  /** What is left by the ledger; null means without limit. */
  readonly balance: number | null
  /** What is set aside for requests that are being carried out. */
  readonly reserved: number
}

/**
 * Pays for requests from prepaid credits: sets aside what a request may cost at the most, and takes what it did cost
 * (specification, Credits; reliability 2.3). Balances never go below zero, and asking twice for the same request pays
 * once. When the ledger cannot be used, nothing is done: `BillingUnavailable`.
 */
export class Credits extends Context.Tag("@trunkline/rate-limits/Credits")<Credits, {
  /** Sets aside what a request may cost, for a quarter of an hour. */
  readonly reserve: (charging: Charging) => Effect.Effect<void, InsufficientCredits | BillingUnavailable>
  /** Takes what a request did cost, gives the rest back, and records the usage. Only the first settling counts. */
  readonly settle: (
    charging: Omit<Charging, "most"> & { readonly used: Units }
  ) => Effect.Effect<void, BillingUnavailable>
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
  /** Adds micro-credits to an account; false when this reference was granted before, and then nothing is added. */
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
}>() {}
