import type { Kysely } from "kysely"
import type { Database } from "../schema/Database.js"
import { sqlText } from "./Rows.js"
import type { SqlDialect } from "./SqlDialect.js"

/** Keeps other transactions that lock the same name out until this one ends, where transactions run side by side. */
export const lockName = async (db: Kysely<Database>, { lockName: text }: SqlDialect, name: string): Promise<void> => {
  if (text !== null) await sqlText(text, name).execute(db)
}
