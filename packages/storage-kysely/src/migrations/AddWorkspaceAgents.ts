import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { byCodePoint } from "./postgres/ByCodePoint.js"
import { onPostgres, onSqlite } from "./tables/TableText.js"

const statements: ReadonlyArray<string> = [
  `create table workspace_agents (
    org_id text not null,
    workspace_id text not null,
    app_id text not null,
    body text not null,
    primary key (org_id, workspace_id, app_id)
  )`,
  `create table workspace_agent_versions (
    org_id text not null,
    workspace_id text not null,
    app_id text not null,
    app_version integer not null,
    characters integer not null,
    body text not null,
    primary key (org_id, workspace_id, app_id, app_version)
  )`
]

/** Adds agents of workspaces with their versions to SQLite. */
export const addWorkspaceAgents = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onSqlite(statements)) await sql.raw(statement).execute(db)
}

/** Adds the same to PostgreSQL. */
export const addPostgresWorkspaceAgents = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onPostgres(statements)) await sql.raw(byCodePoint(statement)).execute(db)
}
