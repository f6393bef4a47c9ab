import type { LedgerEntry } from "@trunkline/rate-limits"
import type { Generated } from "kysely"
import type { BodyColumn, WorkspaceColumns } from "./Columns.js"

interface AccountsTable extends BodyColumn {
  readonly account_id: string
}

interface ApiKeysTable extends BodyColumn {
  readonly key_id: string
  readonly account_id: string
}

interface WorkspacesTable extends WorkspaceColumns, BodyColumn {}

/** Token buckets; a full bucket needs no row. */
interface BucketsTable {
  readonly owner: string
  readonly name: string
  /** Time at which the bucket is full again, in microseconds since 1970. */
  readonly full_at: number
}

interface SlotsTable {
  readonly owner: string
  readonly name: string
  readonly holder: string
  /** Time at which the slot is free again, in epoch milliseconds. */
  readonly expires_at: number
}

/** The sum of each account's entries. */
interface CreditBalancesTable {
  readonly account_id: string
  readonly balance: number
}

interface CreditEntriesTable {
  /** Order of writing. */
  readonly seq: Generated<number>
  readonly account_id: string
  readonly reference: string
  readonly kind: LedgerEntry["kind"]
  readonly amount: number
  /** Epoch milliseconds. */
  readonly at: number
}

interface CreditReservationsTable {
  readonly request_id: string
  readonly account_id: string
  readonly key_id: string | null
  readonly api: string
  readonly amount: number
  /** Epoch milliseconds. */
  readonly expires_at: number
}

/** One row per account, day, API and key. */
interface CreditUsageTable {
  readonly account_id: string
  readonly day: string
  readonly api: string
  /** Empty for usage without a key. */
  readonly key_id: string
  readonly requests: number
  /** The amount used of each unit, in JSON. */
  readonly units: string
  readonly cost: number
  readonly charged: number
}

/** Cloned voices, without their clips. */
interface VoicesTable extends BodyColumn {
  readonly voice_id: string
  readonly account_id: string
  /** The searchable texts, in lower case. */
  readonly search: string
  readonly name: string
  /** Epoch milliseconds. */
  readonly created_at: number
}

/** The clip of each voice, in a table of its own because a clip exceeds a megabyte and lists never read it. */
interface VoiceClipsTable {
  readonly voice_id: string
  /** A WAV file. */
  readonly clip: Uint8Array
}

/** The tables of accounts: keys, limits, credits and voices. */
export interface AccountTables {
  readonly accounts: AccountsTable
  readonly api_keys: ApiKeysTable
  readonly buckets: BucketsTable
  readonly credit_balances: CreditBalancesTable
  readonly credit_entries: CreditEntriesTable
  readonly credit_reservations: CreditReservationsTable
  readonly credit_usage: CreditUsageTable
  readonly slots: SlotsTable
  readonly voice_clips: VoiceClipsTable
  readonly voices: VoicesTable
  readonly workspaces: WorkspacesTable
}
