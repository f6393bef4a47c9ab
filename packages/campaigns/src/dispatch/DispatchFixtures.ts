import { AttemptId, CampaignId, CohortId, PhoneNumber, type Scope } from "@trunkline/kernel"
import { Effect } from "effect"
import { scopeOf } from "../campaign/CampaignFixtures.js"
import { type Contact, newcomer } from "../contacts/Contact.js"
import { hold, refuse } from "../gate/Decision.js"
import { DispatchStore } from "./DispatchStore.js"

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
  ...newcomer(campaign_id, {
    user_phone_number: number(index),
    user_identifier: `user-${index}`,
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    agent_variables: { name: "हिन्दी", due: 42.5, paid: false, note: null, "odd \"key\"": "" },
    app_overrides: { initial_language_name: "Hindi" }
  }, 100),
  ...change
})

export const start = { completed_seq: 1, row: 1 }

/** When the laws claim and settle. */
export const now = 150

/** What is decided when an attempt ends with this next due time. */
export const decisionOf = (due_at: number | null) =>
  due_at === null ? refuse("done", now) : hold("retry_interval", now, due_at)

/** A campaign of its own for one law, with people of these numbers, all due at the same time. */
export const enrolled = (name: string, ...indexes: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const store = yield* DispatchStore
    const campaign_id = CampaignId.make(`camp-${name}`)
    const scope: Scope = scopeOf(name)
    yield* store.enrol(campaign_id, indexes.map((index) => contact(campaign_id, index)), start)
    const of = (index: number) => ({ campaign_id, user_phone_number: number(index), attempt_id: attempt(index) })
    return {
      store,
      campaign_id,
      scope,
      of,
      claim: (index: number, from = ours) =>
        Effect.map(store.claim({ scope, campaign_id }, [{ ...of(index), from }], now), (claimed) => claimed.size === 1),
      settle: (index: number, due_at: number | null) =>
        store.settle({
          ...of(index),
          outcome: due_at === null ? "completed" : "busy",
          last_outcome: due_at === null ? talked : busy,
          decision: decisionOf(due_at),
          next: due_at === null ? null : { due_at, counters: retried }
        }),
      release: (index: number, of_attempt = index) =>
        store.release({ ...of(index), attempt_id: attempt(of_attempt), at: now }),
      stop: (...stopped: ReadonlyArray<number>) =>
        store.finish(campaign_id, stopped.map(number), refuse("stopped", now)),
      /** The numbers of those who wait, whenever they are due. */
      line: Effect.map(
        store.ready(campaign_id, Number.MAX_SAFE_INTEGER, 10_000),
        (ready) => ready.map((one) => one.user_phone_number)
      )
    }
  })
