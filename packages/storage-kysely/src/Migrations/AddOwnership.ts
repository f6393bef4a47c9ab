import { type Kysely, sql } from "kysely"
import type { Database } from "../Database.js"

const statements: ReadonlyArray<string> = [
  `create table ownership (
    id integer primary key check (id = 1),
    owner text not null,
    lock text not null,
    fence integer not null,
    beat integer not null,
    beat_at integer not null,
    lease_millis integer not null
  )`
]

/** Who works with the database, and the fence that keeps everybody else from writing. */
export const addOwnership = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
