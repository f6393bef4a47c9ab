import { onBoth } from "./tables/Statements.js"

/** Adds what the calls of campaigns have cost. */
export const addCampaignSpending = onBoth([
  `create table campaign_spending (
    campaign_id text not null,
    process_id integer not null,
    spent integer not null,
    largest integer not null,
    incomplete integer not null,
    primary key (campaign_id, process_id)
  )`
])
