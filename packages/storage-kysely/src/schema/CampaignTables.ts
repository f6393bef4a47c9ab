import type { CohortCategory, CohortOwner } from "@trunkline/cohorts"
import type { Generated } from "kysely"
import type { ListColumns } from "./Columns.js"

interface CampaignsTable extends ListColumns {
  readonly campaign_id: string
  readonly start_timestamp: number
  readonly end_timestamp: number
}

interface CohortsTable extends ListColumns {
  readonly cohort_id: string
  readonly owner_kind: CohortOwner["kind"]
  readonly owner_id: string
  readonly cohort_category: CohortCategory
  /** The key of its users' rows; an import that starts over gets a new number. */
  readonly number: number
  /** URL to fetch the file from; null once the file is stored. */
  readonly source_url: string | null
  /** Order of completion; null until the cohort is completed. */
  readonly completed_seq: number | null
  readonly valid_records: number
  /** The process that imports it, in databases that processes share; others have no such column. */
  readonly process_id: Generated<number | null>
}

/** The users of cohorts. */
interface CohortPeopleTable {
  readonly cohort_number: number
  readonly row: number
  /** The digits of the phone number. */
  readonly phone: number
  /** A JSON array of the identifier, the agent variables and the overrides. */
  readonly body: string
}

/** The row of each phone number in a cohort; the first row, if several have the number. */
interface CohortCallersTable {
  readonly phone: number
  readonly cohort_number: number
  readonly row: number
}

/** The numbers of cohorts whose users are to be deleted. */
interface CohortLeftoversTable {
  readonly cohort_number: number
}

/** Ids of cohorts whose files are being received. */
interface ExpectedCohortsTable {
  readonly cohort_id: string
  /** The process that receives them, in databases that processes share; others have no such column. */
  readonly process_id: Generated<number | null>
}

/** The tables of campaigns and cohorts. */
export interface CampaignTables {
  readonly campaigns: CampaignsTable
  readonly cohort_callers: CohortCallersTable
  readonly cohort_leftovers: CohortLeftoversTable
  readonly cohort_people: CohortPeopleTable
  readonly cohorts: CohortsTable
  readonly expected_cohorts: ExpectedCohortsTable
}
