import { type Contact, type ContactListing, DispatchStore, newContact } from "@trunkline/campaigns"
import { AttemptId, CampaignId, CohortId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const attempt_id = AttemptId.make("019a0000-0000-7000-8000-000000000001")
const number = PhoneNumber.make("+919876543210")
const dial = { campaign_id, user_phone_number: number, attempt_id }
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

/** The frequent queries of the dispatch queue, by name. */
export const dispatchQueries: Readonly<Record<string, Effect.Effect<unknown, never, DispatchStore>>> = {
  "the next contacts to call": Effect.flatMap(DispatchStore, (store) =>
    Effect.all([
      store.ready(campaign_id, 0, 64),
      store.nextDue(campaign_id),
      store.lastDue(campaign_id),
      store.onThePhone(scope, [number]),
      store.dialsOf(scope, 0, [number])
    ])),
  "a dial": Effect.flatMap(DispatchStore, (store) =>
    Effect.all([
      store.enrol(campaign_id, [contact], start),
      store.claim({ scope, campaign_id }, [{ ...dial, from: number }], 0),
      store.addDials(campaign_id, 0, 1),
      store.recordDials(scope, 0, [number]),
      store.find(campaign_id, number),
      store.settle({
        ...dial,
        outcome: "busy",
        last_outcome: last,
        decision: later,
        next: { due_at: 1, counters: { main: 1, provider: 0, internal: 0 } }
      }),
      store.claim({ scope, campaign_id }, [{ ...dial, from: number }], 1),
      store.settleMany([{ ...dial, outcome: "busy", last_outcome: last, decision: done, next: null }]),
      store.claimMany([{ scope, campaign_id, claims: [{ ...dial, from: number }], at: 1 }]),
      store.retriesOf([dial])
    ])),
  "a dial that is released": Effect.flatMap(DispatchStore, (store) =>
    Effect.all([
      store.enrol(campaign_id, [contact], start),
      store.claim({ scope, campaign_id }, [{ ...dial, from: number }], 0),
      store.release({ ...dial, at: 0 }),
      store.removeDial(scope, 0, number),
      store.defer(campaign_id, [{ user_phone_number: number, due_at: 1, decision: later }])
    ])),
  "contacts in a stop file": Effect.flatMap(DispatchStore, (store) =>
    Effect.all([
      store.enrol(campaign_id, [contact], start),
      store.finish(campaign_id, [number], done),
      store.setStopCursor(campaign_id, start)
    ])),
  "the progress of a campaign": Effect.flatMap(DispatchStore, (store) =>
    Effect.all([
      store.counts(campaign_id),
      store.totals(campaign_id),
      store.cursor(campaign_id),
      store.stopCursor(campaign_id),
      store.lastDial(campaign_id),
      store.minutes(campaign_id, 0)
    ])),
  "the contacts of a campaign": Effect.flatMap(DispatchStore, (store) =>
    Effect.all([
      store.enrol(campaign_id, [contact], start),
      store.list(campaign_id, everyContact),
      store.list(campaign_id, { ...everyContact, before: 9 })
    ])),
  "contacts of a campaign by state, reason or name": Effect.flatMap(DispatchStore, (store) =>
    Effect.all([
      store.enrol(campaign_id, [contact], start),
      store.list(campaign_id, { ...everyContact, state: "waiting" }),
      store.list(campaign_id, { ...everyContact, reason: "new", after: 0 }),
      store.list(campaign_id, { ...everyContact, search: "user-1" })
    ]))
}

const inStopFile = Array.from({ length: 100 }, (_, index) => PhoneNumber.make(`+91${9_876_500_000 + index}`))

/** Finishes the contacts with many numbers. */
export const finishMany: Effect.Effect<unknown, never, DispatchStore> = Effect.flatMap(
  DispatchStore,
  (store) =>
    Effect.zipRight(
      store.enrol(campaign_id, inStopFile.map((user_phone_number) => ({ ...contact, user_phone_number })), start),
      store.finish(campaign_id, inStopFile, done)
    )
)
