import { type Kysely, sql } from "kysely"
import type { Database } from "../../schema/Database.js"
import { byCodePoint } from "./ByCodePoint.js"

/** Adds the contacts that each process has settled; those of earlier versions stay counted in `dispatch`. */
export const addSettledCounts = async (db: Kysely<Database>): Promise<void> => {
  await sql.raw(byCodePoint(`
    create table settled_counts (
      campaign_id text not null,
      process_id bigint not null,
      outcome text not null,
      waiting bigint not null,
      finished bigint not null,
      primary key (campaign_id, process_id, outcome)
    )
  `)).execute(db)
}
