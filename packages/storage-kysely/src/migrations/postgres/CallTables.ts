import {
  attempts,
  boards,
  calls,
  callSafety,
  callsByUser,
  deployments,
  factIndexes,
  transcripts,
  unfinishedAttempts
} from "../tables/SharedCallTables.js"
import { onPostgres } from "../tables/TableText.js"

/** Creates the tables of calls, deployments and analytics. */
export const callTables: ReadonlyArray<string> = [
  ...onPostgres(attempts),
  ...onPostgres(unfinishedAttempts),
  ...onPostgres(callSafety),
  ...onPostgres(deployments),
  ...onPostgres(calls),
  ...onPostgres(callsByUser),
  ...onPostgres(transcripts),
  "create sequence fact_places",
  "create sequence fact_entries increment by -1",
  // New facts are negative until a reader gives them their places: the order of numbers is not that of commits.
  `create table facts (
    seq bigint primary key default nextval('fact_entries'),
    attempt_id text not null unique,
    org_id text not null,
    workspace_id text not null,
    user_identifier text,
    body text
  )`,
  ...onPostgres(factIndexes),
  ...onPostgres(boards)
]
