import {
  type Contact,
  type ContactListing,
  ContactStore,
  DialLog,
  DialQueue,
  type DispatchStores,
  newContact
} from "@trunkline/campaigns"
import { AttemptId, CampaignId, CohortId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const attempt_id = AttemptId.make("019a0000-0000-7000-8000-000000000001")
const number = PhoneNumber.make("+919876543210")
const dial = { campaign_id, user_phone_number: number, attempt_id }
const claim = { scope, campaign_id, claims: [{ ...dial, from: number }] }
const start = { completed_seq: 1, row: 1 }

const contact: Contact = newContact(campaign_id, {
  user_phone_number: number,
  user_identifier: "user-1",
  cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
  agent_variables: {},
  app_overrides: {}
}, 0)

const last = { completion_status: "failed", connectivity_status: "busy", next_action_status: null } as const
const done = { verdict: "never", reason: "retries_exhausted", at: 0, not_before: null } as const
const later = { verdict: "not_before", reason: "daily_cap", at: 0, not_before: 1 } as const
const everyContact: ContactListing = { state: null, reason: null, search: "", limit: 50, after: null, before: null }

const stores = Effect.all({ contacts: ContactStore, log: DialLog, queue: DialQueue })

/** The frequent queries of the dispatch queue, by name. */
export const dispatchQueries: Readonly<Record<string, Effect.Effect<unknown, never, DispatchStores>>> = {
  "the next contacts to call": Effect.flatMap(stores, ({ log, queue }) =>
    Effect.all([
      queue.ready(campaign_id, 0, 64),
      queue.nextDue(campaign_id),
      queue.lastDue(campaign_id),
      log.onThePhone(scope, [number]),
      log.dialsOf(scope, 0, [number])
    ])),
  "a dial": Effect.flatMap(stores, ({ contacts, log, queue }) =>
    Effect.all([
      contacts.enrol(campaign_id, [contact], start),
      queue.claimMany([{ ...claim, at: 0, isDialled: false }]),
      log.addDials(campaign_id, 0, 1),
      log.recordDials(scope, 0, [number]),
      contacts.find(campaign_id, number),
      queue.settleMany([{
        ...dial,
        outcome: "busy",
        last_outcome: last,
        decision: later,
        next: { due_at: 1, counters: { main: 1, provider: 0, internal: 0 } }
      }]),
      queue.claimMany([{ ...claim, at: 1, isDialled: true }]),
      queue.settleMany([{ ...dial, outcome: "busy", last_outcome: last, decision: done, next: null }]),
      queue.retriesOf([dial])
    ])),
  "a dial that is released": Effect.flatMap(stores, ({ contacts, log, queue }) =>
    Effect.all([
      contacts.enrol(campaign_id, [contact], start),
      queue.claimMany([{ ...claim, at: 0, isDialled: false }]),
      queue.release({ ...dial, at: 0 }),
      log.removeDial(scope, 0, number),
      queue.defer(campaign_id, [{ user_phone_number: number, due_at: 1, decision: later }])
    ])),
  "contacts in a stop file": Effect.flatMap(stores, ({ contacts, queue }) =>
    Effect.all([
      contacts.enrol(campaign_id, [contact], start),
      queue.finish(campaign_id, [number], done),
      contacts.setStopCursor(campaign_id, start)
    ])),
  "the progress of a campaign": Effect.flatMap(stores, ({ contacts, log }) =>
    Effect.all([
      contacts.counts(campaign_id),
      contacts.totals(campaign_id),
      contacts.cursor(campaign_id),
      contacts.stopCursor(campaign_id),
      log.lastDial(campaign_id),
      log.minutes(campaign_id, 0)
    ])),
  "the contacts of a campaign": Effect.flatMap(stores, ({ contacts }) =>
    Effect.all([
      contacts.enrol(campaign_id, [contact], start),
      contacts.list(campaign_id, everyContact),
      contacts.list(campaign_id, { ...everyContact, before: 9 })
    ])),
  "contacts of a campaign by state, reason or name": Effect.flatMap(stores, ({ contacts }) =>
    Effect.all([
      contacts.enrol(campaign_id, [contact], start),
      contacts.list(campaign_id, { ...everyContact, state: "waiting" }),
      contacts.list(campaign_id, { ...everyContact, reason: "new", after: 0 }),
      contacts.list(campaign_id, { ...everyContact, search: "user-1" })
    ]))
}

const inStopFile = Array.from({ length: 100 }, (_, index) => PhoneNumber.make(`+91${9_876_500_000 + index}`))

/** Finishes the contacts with many numbers. */
export const finishMany: Effect.Effect<unknown, never, DispatchStores> = Effect.flatMap(
  stores,
  ({ contacts, queue }) =>
    Effect.zipRight(
      contacts.enrol(campaign_id, inStopFile.map((user_phone_number) => ({ ...contact, user_phone_number })), start),
      queue.finish(campaign_id, inStopFile, done)
    )
)
