import { onBoth } from "./tables/Statements.js"

/** Adds what models were sent during calls,. */
export const addModelInputs = onBoth([
  `create table call_model_inputs (
    attempt_id text primary key references calls on delete cascade,
    body text not null
  )`
])
