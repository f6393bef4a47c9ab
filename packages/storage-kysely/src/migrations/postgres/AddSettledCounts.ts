import { inOrder } from "../tables/Statements.js"
import { byCodePoint } from "../tables/TableText.js"

/** Adds the contacts that each process has settled; those of earlier versions stay counted in `dispatch`. */
export const addSettledCounts = inOrder([
  byCodePoint(`
    create table settled_counts (
      campaign_id text not null,
      process_id bigint not null,
      outcome text not null,
      waiting bigint not null,
      finished bigint not null,
      primary key (campaign_id, process_id, outcome)
    )
  `)
])
