import type { Claim, Deferral, Settlement } from "../dispatch/DispatchStore.js"
import { allow, type Decision, hold } from "../gate/Decision.js"
import type { Contact } from "./Contact.js"

/** Somebody who waited, and is on the phone now. */
export const claimed = (contact: Contact, { attempt_id, from }: Claim, at: number): Contact => ({
  ...contact,
  state: "calling",
  attempt_id,
  attempts: contact.attempts + 1,
  called_from: [...contact.called_from, from],
  decision: allow("allowed", at)
})

/** What is decided about somebody who waits for their next attempt since it was not dialled. */
export const waitingAgain = (attempts: number, due_at: number, at: number): Decision =>
  attempts === 0 ? allow("new", at) : hold("retry_interval", at, due_at)

/** Somebody whose claimed attempt was never dialled: they wait as before. */
export const released = (contact: Contact, at: number): Contact => ({
  ...contact,
  state: "waiting",
  attempt_id: null,
  attempts: contact.attempts - 1,
  called_from: contact.called_from.slice(0, -1),
  decision: waitingAgain(contact.attempts - 1, contact.due_at, at)
})

/** Somebody whose call is over. */
export const settled = (contact: Contact, { decision, last_outcome, next }: Settlement): Contact => ({
  ...contact,
  attempt_id: null,
  decision,
  last_outcome,
  ...(next === null
    ? { state: "finished" as const }
    : { state: "waiting" as const, due_at: next.due_at, counters: next.counters })
})

/** Somebody who waits for another moment. */
export const deferred = (contact: Contact, { decision, due_at }: Deferral): Contact => ({
  ...contact,
  due_at,
  decision
})

/** Somebody who waited, and is not called any more. */
export const finished = (contact: Contact, decision: Decision): Contact => ({ ...contact, state: "finished", decision })
