import { limits } from "./tables/SharedAccountTables.js"
import { inOrder } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

/** Adds the buckets and slots of rate limits, the ledger of credits, and the index of an account's workspaces. */
export const addLimitsAndCredits = inOrder([
  `create index workspaces_by_account
    on workspaces (json_extract(body, '$.account_id'), org_id, workspace_id)`,
  ...onSqlite(limits)
])
