import type { FieldName } from "@trunkline/analytics"
import type { AttemptState } from "@trunkline/telephony"
import type { Generated } from "kysely"
import type { BodyColumn, ListColumns, WorkspaceColumns } from "./Columns.js"

interface DeploymentsTable extends ListColumns {
  readonly deployment_id: string
}

interface DeploymentNumbersTable {
  readonly phone_number: string
  readonly deployment_id: string
}

/** Call attempts. Everything that changes has a column; `body` holds the rest and is written once. */
interface AttemptsTable extends BodyColumn {
  readonly attempt_id: string
  readonly state: AttemptState
  readonly connection_id: string
  readonly attempted_at: number
  readonly provider_call_id: string | null
  /** In JSON; null until the attempt has ended. */
  readonly result: string | null
  /** The process that carries it, in databases that processes share; others have no such column. */
  readonly process_id: Generated<number | null>
}

interface BlockedNumbersTable extends WorkspaceColumns {
  readonly phone_number: string
  readonly reason: string | null
  readonly created_at: number
  readonly created_by: string
}

/** The count of each workspace's blocked numbers. */
interface BlockedTotalsTable extends WorkspaceColumns {
  readonly total: number
}

/** Events that providers reported about calls. */
interface CallEventsTable {
  /** Order of arrival. */
  readonly place: Generated<number>
  readonly provider: string
  readonly event_id: string
  readonly provider_call_id: string
  readonly attempt_id: string | null
  readonly received_at: number
  /** The content of the event, in JSON. */
  readonly news: string
}

/** Entries of calls that go on, until their attempts end. */
interface CallJournalTable {
  /** Order of arrival. */
  readonly place: Generated<number>
  readonly attempt_id: string
  /** In JSON. */
  readonly entry: string
}

/** Records of finished attempts, with a column for every field of the analytics catalog; times are epoch milliseconds. */
interface CallsTable extends WorkspaceColumns, BodyColumn, Readonly<Record<FieldName, string | number | null>> {
  /** A JSON object of the agent variables by name, each as text. */
  readonly variables: string
}

interface CallTranscriptsTable extends BodyColumn {
  readonly attempt_id: string
  readonly interaction_id: string
}

interface CallModelInputsTable extends BodyColumn {
  readonly attempt_id: string
}

/** The newest version of each attempt's fact, or a mark that it was erased. */
interface FactsTable extends WorkspaceColumns {
  readonly seq: Generated<number>
  readonly attempt_id: string
  /** Null once erased. */
  readonly user_identifier: string | null
  /** In JSON; null once erased. */
  readonly body: string | null
}

/** Analytics boards, with the part that lists show in a column of its own. */
interface BoardsTable extends WorkspaceColumns, BodyColumn {
  readonly id: string
  readonly name: string
  readonly updated_at: number
  /** In JSON. */
  readonly summary: string
}

/** The tables of calls, deployments and analytics. */
export interface CallTables {
  readonly attempts: AttemptsTable
  readonly blocked_numbers: BlockedNumbersTable
  readonly blocked_totals: BlockedTotalsTable
  readonly boards: BoardsTable
  readonly call_events: CallEventsTable
  readonly call_journal: CallJournalTable
  readonly call_model_inputs: CallModelInputsTable
  readonly call_transcripts: CallTranscriptsTable
  readonly calls: CallsTable
  readonly deployment_numbers: DeploymentNumbersTable
  readonly deployments: DeploymentsTable
  readonly facts: FactsTable
}
