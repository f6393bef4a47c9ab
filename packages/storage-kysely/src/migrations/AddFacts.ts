import { boards, callsByUser, factIndexes } from "./tables/SharedCallTables.js"
import { inOrder } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

/** Adds the log of facts for warehouses, and the indexes to find everything about one user. */
export const addFacts = inOrder([
  `create table facts (
    seq integer primary key autoincrement,
    attempt_id text not null unique,
    org_id text not null,
    workspace_id text not null,
    user_identifier text,
    body text
  )`,
  ...onSqlite(factIndexes),
  ...onSqlite(callsByUser)
])

/** Adds analytics boards. */
export const addBoards = inOrder(onSqlite(boards))

/** Adds the position up to which a campaign has read its stop files. */
export const addStopFiles = inOrder([
  "alter table dispatch add column stops_seq integer not null default 0",
  "alter table dispatch add column stops_row integer not null default 0"
])
