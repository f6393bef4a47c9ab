import { type Kysely, sql } from "kysely"
import type { Database } from "../../schema/Database.js"
import { accountTables } from "./AccountTables.js"
import { byCodePoint } from "./ByCodePoint.js"
import { callTables } from "./CallTables.js"
import { campaignTables } from "./CampaignTables.js"
import { deliveryTables } from "./DeliveryTables.js"

/** Creates the tables of the stores in an empty PostgreSQL database. Times are in milliseconds, which may have fractions. */
export const createPostgresTables = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of [...accountTables, ...callTables, ...campaignTables, ...deliveryTables]) {
    await sql.raw(byCodePoint(statement)).execute(db)
  }
}
