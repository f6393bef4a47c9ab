import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { voices } from "./tables/SharedAccountTables.js"
import { notifications } from "./tables/SharedDeliveryTables.js"
import { onSqlite } from "./tables/TableText.js"

const notificationStatements = [
  ...onSqlite(notifications)
]

/** Adds notification rules, their runs, and a delivery for each channel of a run. */
export const addNotifications = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of notificationStatements) await sql.raw(statement).execute(db)
}

const voiceStatements = [
  ...onSqlite(voices)
]

/** Adds cloned voices, with their clips in a table of their own. */
export const addVoices = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of voiceStatements) await sql.raw(statement).execute(db)
}
