import type { WorkspaceColumns } from "./Columns.js"

/** The work on calls after their end, until it is done. Times are epoch milliseconds. */
interface AfterCallJobsTable extends WorkspaceColumns {
  readonly attempt_id: string
  readonly created_at: number
  readonly due_at: number
  readonly runs: number
  /** Requests to the model so far, in JSON. */
  readonly asked: string
}

/** The tables of the work on calls after their end. */
export interface AfterCallTables {
  readonly after_call_jobs: AfterCallJobsTable
}
