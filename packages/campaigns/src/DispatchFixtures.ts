import { AttemptId, CampaignId, CohortId, PhoneNumber } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import { Contact } from "./Contact.js"
import { DispatchStore } from "./DispatchStore.js"
import { noRetries } from "./RetryPolicy.js"

export const number = (index: number) => PhoneNumber.make(`+91${9876500000 + index}`)
export const attempt = (index: number) => AttemptId.make(`attempt-${index}`)
export const [ours, theirs] = [PhoneNumber.make("+911140000001"), PhoneNumber.make("+911140000002")]
export const retried = { main: 1, provider: 2, internal: 3 }

export const contact = (campaign_id: CampaignId, index: number, change: Partial<Contact> = {}) =>
  new Contact({
    campaign_id,
    user_phone_number: number(index),
    user_identifier: `user-${index}`,
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    agent_variables: { name: "हिन्दी", due: 42.5, paid: false, note: null, "odd \"key\"": "" },
    app_overrides: { initial_language_name: "Hindi" },
    state: "waiting",
    due_at: 100,
    attempts: 0,
    counters: noRetries,
    called_from: [],
    attempt_id: null,
    ...change
  })

export const start = { completed_seq: 1, row: 1 }

/** A campaign of its own for one law, with people of these numbers, all due at the same time. */
export const enrolled = (name: string, ...indexes: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const store = yield* DispatchStore
    const campaign_id = CampaignId.make(`camp-${name}`)
    yield* store.enrol(campaign_id, indexes.map((index) => contact(campaign_id, index)), start)
    const of = (index: number) => ({ campaign_id, user_phone_number: number(index), attempt_id: attempt(index) })
    return {
      store,
      campaign_id,
      claim: (index: number, from = ours) => store.claim({ ...of(index), from }),
      settle: (index: number, due_at: number | null) =>
        store.settle({ ...of(index), next: due_at === null ? null : { due_at, counters: retried } }),
      next: Effect.map(store.nextWaiting(campaign_id), Option.map((waiting) => waiting.user_phone_number))
    }
  })
