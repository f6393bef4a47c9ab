import { attempts, callSafety, unfinishedAttempts } from "./tables/SharedCallTables.js"
import { inOrder, setAside } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

/** The fields that move from an attempt's body to columns. */
const columns = ["attempt_id", "state", "connection_id", "attempted_at", "provider_call_id", "result"]
const paths = columns.map((name) => `'$.${name}'`).join(", ")

/**
 * Gives the changing fields of attempts columns of their own, and adds the numbers that a workspace never calls and the
 * events that providers report.
 */
export const addCallSafety = inOrder([
  ...setAside("attempts", "former_attempts"),
  ...onSqlite(attempts),
  `insert into attempts
    select
      attempt_id,
      state,
      body ->> '$.connection_id',
      body ->> '$.attempted_at',
      body ->> '$.provider_call_id',
      nullif(body -> '$.result', 'null'),
      json_remove(body, ${paths})
    from former_attempts
    order by attempt_id`,
  "drop table former_attempts",
  ...onSqlite(unfinishedAttempts),
  ...onSqlite(callSafety)
])

/** Adds the owner of the database, and the fence that keeps former owners from writing. */
export const addOwnership = inOrder([
  `create table ownership (
    id integer primary key check (id = 1),
    owner text not null,
    lock text not null,
    fence integer not null,
    beat integer not null,
    beat_at integer not null,
    lease_millis integer not null
  )`
])
