import { onBoth } from "./tables/Statements.js"

/** Adds the counts of canaries. */
export const addCanaryCounts = onBoth([
  `create table canary_counts (
    campaign_id text not null,
    canary integer not null,
    arm text not null,
    process_id integer not null,
    conversations integer not null,
    successes integer not null,
    primary key (campaign_id, canary, arm, process_id)
  )`
])
