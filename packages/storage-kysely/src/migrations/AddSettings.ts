import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

/** Adds the settings that all processes of a database share, such as the fingerprint of their secret. */
export const addSettings = async (db: Kysely<Database>): Promise<void> => {
  await sql.raw("create table settings (key text primary key, value text not null)").execute(db)
}
