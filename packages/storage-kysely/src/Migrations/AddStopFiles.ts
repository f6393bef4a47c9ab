import { type Kysely, sql } from "kysely"
import type { Database } from "../Database.js"

const statements = [
  "alter table dispatch add column stops_seq integer not null default 0",
  "alter table dispatch add column stops_row integer not null default 0"
]

/** How far a campaign has read its stop files. */
export const addStopFiles = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
