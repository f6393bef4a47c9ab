import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { byCodePoint } from "./postgres/ByCodePoint.js"
import { onPostgres, onSqlite } from "./tables/TableText.js"

const statements: ReadonlyArray<string> = [
  `create table canary_counts (
    campaign_id text not null,
    canary integer not null,
    arm text not null,
    process_id integer not null,
    conversations integer not null,
    successes integer not null,
    primary key (campaign_id, canary, arm, process_id)
  )`
]

/** Adds the counts of canaries to SQLite. */
export const addCanaryCounts = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onSqlite(statements)) await sql.raw(statement).execute(db)
}

/** Adds the same to PostgreSQL. */
export const addPostgresCanaryCounts = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onPostgres(statements)) await sql.raw(byCodePoint(statement)).execute(db)
}
