import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  ConnectionId,
  OrgId,
  PhoneNumber,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import { DateTime, Effect, Schema } from "effect"
import { Campaign } from "../campaign/Campaign.js"
import { RetryConfig } from "../campaign/RetryPolicy.js"
import { type Contact, newContact } from "../contacts/Contact.js"
import { hold, refuse } from "../contacts/GateResult.js"
import { ContactStore } from "../store/ContactStore.js"
import { DialLog } from "../store/DialLog.js"
import { DialQueue } from "../store/DialQueue.js"

/** A moment within one minute, by its second. */
export const at = (second: number) => DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: second })

/** A workspace for tests. */
export const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

const app_id = AppId.make("support")

/** A campaign with all optional parts. */
export const campaign = (id: string, change: Partial<Campaign> = {}) =>
  new Campaign({
    campaign_id: CampaignId.make(id),
    name: id,
    description: null,
    status: "scheduled",
    app_id,
    app_type: "agent",
    app_version: 1,
    app_config: {
      app_id,
      app_type: "agent",
      app_version: 1,
      attempts_per_second: 0.5,
      connection_configs: [{
        connection_id: ConnectionId.make("sim-1"),
        phone_numbers: [PhoneNumber.make("+911140000001"), PhoneNumber.make("+911140000002")],
        weight: 2.5
      }],
      retry_config: Schema.decodeSync(RetryConfig)({ retry_interval_minutes: [5, 30] }),
      answer_handling: null,
      webhook_config: { url: "https://a.example/hook", metadata: { nested: [1, null, { a: "x" }] }, secret: "s" },
      phone_rotation: { agent: true }
    },
    start_timestamp: at(0),
    end_timestamp: at(59),
    allowed_schedule: {
      allowed_start_time: "09:00",
      allowed_end_time: "18:00",
      allowed_days: ["Monday", "Sunday"],
      timezone: "Asia/Kolkata"
    },
    created_by: "tests",
    created_at: at(0),
    updated_by: null,
    updated_at: at(0),
    ...change
  })

export const number = (index: number) => PhoneNumber.make(`+91${9876500000 + index}`)
export const attempt = (index: number) => AttemptId.make(`attempt-${index}`)
export const [ours, theirs] = [PhoneNumber.make("+911140000001"), PhoneNumber.make("+911140000002")]
export const retried = { main: 1, provider: 2, internal: 3 }
export const busy = { completion_status: "failed", connectivity_status: "busy", next_action_status: "retry" } as const
export const talked = {
  completion_status: "completed",
  connectivity_status: "connected",
  next_action_status: null
} as const

export const contact = (campaign_id: CampaignId, index: number, change: Partial<Contact> = {}): Contact => ({
  ...newContact(campaign_id, {
    user_phone_number: number(index),
    user_identifier: `user-${index}`,
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    agent_variables: { name: "हिन्दी", due: 42.5, paid: false, note: null, "odd \"key\"": "" },
    app_overrides: { initial_language_name: "Hindi" }
  }, 100),
  ...change
})

export const start = { completed_seq: 1, row: 1 }

/** The moment at which laws claim and settle. */
export const now = 150

/** The decision of an attempt that ends with this next due time. */
export const decisionOf = (due_at: number | null) =>
  due_at === null ? refuse("done", now) : hold("retry_interval", now, due_at)

/** A campaign for one law, with contacts of these numbers that are all due at the same time. */
export const enrolled = (name: string, ...indexes: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const contacts = yield* ContactStore
    const queue = yield* DialQueue
    const log = yield* DialLog
    const campaign_id = CampaignId.make(`camp-${name}`)
    const scope: Scope = scopeOf(name)
    yield* contacts.enrol(campaign_id, indexes.map((index) => contact(campaign_id, index)), start)
    const of = (index: number) => ({ campaign_id, user_phone_number: number(index), attempt_id: attempt(index) })
    return {
      contacts,
      queue,
      log,
      campaign_id,
      scope,
      of,
      claim: (index: number, from = ours) =>
        Effect.map(
          queue.claimMany([{ scope, campaign_id, claims: [{ ...of(index), from }], at: now, isDialled: false }]),
          (claimed) => claimed.has(attempt(index))
        ),
      settle: (index: number, due_at: number | null) =>
        queue.settleMany([{
          ...of(index),
          outcome: due_at === null ? "completed" : "busy",
          last_outcome: due_at === null ? talked : busy,
          decision: decisionOf(due_at),
          next: due_at === null ? null : { due_at, counters: retried }
        }]),
      release: (index: number, of_attempt = index) =>
        queue.release({ ...of(index), attempt_id: attempt(of_attempt), at: now }),
      stop: (...stopped: ReadonlyArray<number>) =>
        queue.finish(campaign_id, stopped.map(number), refuse("stopped", now)),
      /** The numbers of all waiting contacts, in order. */
      line: Effect.map(
        queue.ready(campaign_id, Number.MAX_SAFE_INTEGER, 10_000),
        (ready) => ready.map((one) => one.user_phone_number)
      )
    }
  })
