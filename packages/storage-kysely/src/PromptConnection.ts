import type { DatabaseConnection, QueryResult } from "kysely"

/** A connection to a database in this process, which can answer without a promise: that takes longer than many statements. */
export interface PromptConnection extends DatabaseConnection {
  /** Runs a statement; null when it has to go to `executeQuery`, since something else is due before it. */
  readonly executeNow: <Row>(text: string, values: ReadonlyArray<unknown>) => QueryResult<Row> | null
}

/** Whether a connection can answer at once. */
export const isPrompt = (connection: DatabaseConnection): connection is PromptConnection => "executeNow" in connection
