import type { CohortCategory, CohortOwner } from "@trunkline/cohorts"
import type { LedgerEntry } from "@trunkline/rate-limits"
import type { Generated } from "kysely"
import type { AnalyticsTables } from "./AnalyticsTables.js"
import type { DispatchTables } from "./DispatchTables.js"
import type { NotificationTables } from "./NotificationTables.js"
import type { OwnershipTable } from "./OwnershipTable.js"
import type { TelephonyTables } from "./TelephonyTables.js"
import type { VoiceTables } from "./VoiceTables.js"
import type { WebhookTables } from "./WebhookTables.js"

/** The workspace that a row belongs to. */
export interface Scoped {
  readonly org_id: string
  readonly workspace_id: string
}

/** What is kept whole, as the JSON of its schema. */
export interface Whole {
  readonly body: string
}

/** A row that lists show: what they search in, and sort by. Moments are epoch milliseconds. */
interface Listed extends Scoped, Whole {
  /** The texts that a search looks in, folded. */
  readonly search: string
  readonly name: string
  readonly status: string
  readonly created_at: number
  readonly updated_at: number
}

interface DeploymentsTable extends Listed {
  readonly deployment_id: string
}

interface DeploymentNumbersTable {
  readonly phone_number: string
  readonly deployment_id: string
}

interface CampaignsTable extends Listed {
  readonly campaign_id: string
  readonly start_timestamp: number
  readonly end_timestamp: number
}

interface CohortsTable extends Listed {
  readonly cohort_id: string
  readonly owner_kind: CohortOwner["kind"]
  readonly owner_id: string
  readonly cohort_category: CohortCategory
  /** What its people are kept under; another one once it begins anew. */
  readonly number: number
  /** Where its file has still to be fetched from. */
  readonly source_url: string | null
  readonly completed_seq: number | null
  readonly valid_records: number
}

interface CohortPeopleTable {
  readonly cohort_number: number
  readonly row: number
  /** The digits of the number. */
  readonly phone: number
  /** In JSON, an array: the identifier, the agent variables, the overrides. */
  readonly body: string
}

/** The rows of people by their numbers; of several with one number in a cohort, the first. */
interface CohortCallersTable {
  readonly phone: number
  readonly cohort_number: number
  readonly row: number
}

/** The numbers of cohorts whose people have to go. */
interface CohortLeftoversTable {
  readonly cohort_number: number
}

interface ExpectedCohortsTable {
  readonly cohort_id: string
}

interface ApiKeysTable extends Whole {
  readonly key_id: string
  readonly account_id: string
}

interface AccountsTable extends Whole {
  readonly account_id: string
}

interface WorkspacesTable extends Scoped, Whole {}

/** A token bucket that may not be full. */
interface BucketsTable {
  readonly owner: string
  readonly name: string
  /** When it is full again, in microseconds since 1970. */
  readonly full_at: number
}

interface SlotsTable {
  readonly owner: string
  readonly name: string
  readonly holder: string
  /** Epoch milliseconds from which on nobody holds it. */
  readonly expires_at: number
}

/** The sum of an account's entries. */
interface CreditBalancesTable {
  readonly account_id: string
  readonly balance: number
}

interface CreditEntriesTable {
  /** The order in which they were written. */
  readonly seq: Generated<number>
  readonly account_id: string
  readonly reference: string
  readonly kind: LedgerEntry["kind"]
  readonly amount: number
  readonly at: number
}

interface CreditReservationsTable {
  readonly request_id: string
  readonly account_id: string
  readonly key_id: string | null
  readonly api: string
  readonly amount: number
  readonly expires_at: number
}

/** One row per account, day, family and key. */
interface CreditUsageTable {
  readonly account_id: string
  readonly day: string
  readonly api: string
  /** Empty for usage without a key. */
  readonly key_id: string
  readonly requests: number
  /** How much of each unit, in JSON. */
  readonly units: string
  readonly cost: number
  readonly charged: number
}

interface EngineStateTable {
  readonly key: string
  readonly value: number
}

/** The tables of the database, as the newest migration leaves them. */
export interface Database
  extends AnalyticsTables, DispatchTables, NotificationTables, TelephonyTables, VoiceTables, WebhookTables
{
  readonly accounts: AccountsTable
  readonly api_keys: ApiKeysTable
  readonly buckets: BucketsTable
  readonly campaigns: CampaignsTable
  readonly cohort_callers: CohortCallersTable
  readonly cohort_leftovers: CohortLeftoversTable
  readonly cohort_people: CohortPeopleTable
  readonly cohorts: CohortsTable
  readonly credit_balances: CreditBalancesTable
  readonly credit_entries: CreditEntriesTable
  readonly credit_reservations: CreditReservationsTable
  readonly credit_usage: CreditUsageTable
  readonly deployment_numbers: DeploymentNumbersTable
  readonly deployments: DeploymentsTable
  readonly engine_state: EngineStateTable
  readonly expected_cohorts: ExpectedCohortsTable
  readonly ownership: OwnershipTable
  readonly slots: SlotsTable
  readonly workspaces: WorkspacesTable
}
