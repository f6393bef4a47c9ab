import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { byCodePoint } from "./postgres/ByCodePoint.js"
import { onPostgres, onSqlite } from "./tables/TableText.js"

const statements: ReadonlyArray<string> = [
  `create table campaign_spending (
    campaign_id text not null,
    process_id integer not null,
    spent integer not null,
    largest integer not null,
    incomplete integer not null,
    primary key (campaign_id, process_id)
  )`
]

/** Adds what the calls of campaigns have cost to SQLite. */
export const addCampaignSpending = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onSqlite(statements)) await sql.raw(statement).execute(db)
}

/** Adds the same to PostgreSQL. */
export const addPostgresCampaignSpending = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onPostgres(statements)) await sql.raw(byCodePoint(statement)).execute(db)
}
