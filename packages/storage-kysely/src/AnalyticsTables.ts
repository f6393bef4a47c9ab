import type { FieldName } from "@trunkline/analytics"
import type { Generated } from "kysely"
import type { Scoped, Whole } from "./Database.js"

/** Every field of the catalog in a column of its own; moments are epoch milliseconds. */
interface CallsTable extends Scoped, Whole, Readonly<Record<FieldName, string | number | null>> {
  /** The agent variables by name, each as text, in JSON. */
  readonly variables: string
}

interface CallTranscriptsTable extends Whole {
  readonly attempt_id: string
  readonly interaction_id: string
}

/** The newest image of an attempt's fact, or a mark that it was erased. */
interface FactsTable extends Scoped {
  readonly seq: Generated<number>
  readonly attempt_id: string
  /** Null once erased. */
  readonly user_identifier: string | null
  /** JSON; null once erased. */
  readonly body: string | null
}

/** Boards, each whole in a row; what lists show of it apart from that. */
interface BoardsTable extends Scoped, Whole {
  readonly id: string
  readonly name: string
  readonly updated_at: number
  /** In JSON. */
  readonly summary: string
}

/** The tables of call analytics and boards, as the newest migration leaves them. */
export interface AnalyticsTables {
  readonly boards: BoardsTable
  readonly call_transcripts: CallTranscriptsTable
  readonly calls: CallsTable
  readonly facts: FactsTable
}
