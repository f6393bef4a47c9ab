import { onBoth } from "./tables/Statements.js"

/** Adds the work on calls after their end. */
export const addAfterCalls = onBoth([
  `create table after_call_jobs (
    attempt_id text primary key,
    org_id text not null,
    workspace_id text not null,
    created_at moment not null,
    due_at moment not null,
    runs integer not null,
    asked text not null
  )`,
  "create index after_call_jobs_due on after_call_jobs (due_at, attempt_id)"
])
