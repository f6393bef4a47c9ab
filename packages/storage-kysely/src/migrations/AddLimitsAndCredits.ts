import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { limits } from "./tables/SharedAccountTables.js"
import { onSqlite } from "./tables/TableText.js"

const statements = [
  `create index workspaces_by_account
    on workspaces (json_extract(body, '$.account_id'), org_id, workspace_id)`,
  ...onSqlite(limits)
]

/** Adds the buckets and slots of rate limits, the ledger of credits, and the index of an account's workspaces. */
export const addLimitsAndCredits = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
