import { onBoth } from "./tables/Statements.js"

/** Adds the entries of calls that go on, by their order of arrival. */
export const addCallJournal = onBoth([
  `create table call_journal (
    place fresh_key,
    attempt_id text not null,
    entry text not null
  )`,
  "create index call_journal_by_attempt on call_journal (attempt_id, place)"
])
