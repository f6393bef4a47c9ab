import { Agent, AgentCatalog } from "@trunkline/agents"
import { type AfterCallResult, AttemptId, Transactions, unchecked } from "@trunkline/kernel"
import { LanguageModel, type Model } from "@trunkline/models"
import { Attempt, type AttemptResult, AttemptStore, type Interaction } from "@trunkline/telephony"
import { Clock, Effect, Layer, Schema } from "effect"
import { AfterCallJobs, AfterCallListener, AfterCalls, planAfterCall } from "../src/index.js"

/** An agent that wants a summary and three values. */
export const agent = Schema.decodeUnknownSync(Agent)({
  app_id: "collections",
  versions: [{
    app_version: 1,
    committed: true,
    model: "test-model",
    output_variables: [
      { name: "promise_date", type: "date", description: "the date of the payment" },
      { name: "amount", type: "integer" },
      { name: "mood", type: "enum", values: ["calm", "angry"] }
    ],
    after_call: { summary: { max_characters: 40 }, extract: true }
  }]
})

const at = Date.parse("2026-11-30T06:00:00Z")

/** A conversation; by default the caller promises to pay. */
export const conversation = (change: Partial<Interaction> = {}): Interaction =>
  Schema.decodeUnknownSync(Attempt.fields.result)({
    completion_status: "completed",
    connectivity_status: "connected",
    next_action_status: null,
    failure_reason: null,
    finished_at: at + 60_000,
    interaction: {
      interaction_id: "20261130-1",
      started_at: at,
      ended_at: at + 60_000,
      ended_by: "user",
      language_name: "English",
      transcript: [
        { role: "agent", en_text: "When can you pay?", indic_text: null, language_name: "English", at },
        { role: "user", en_text: "On Friday, 500 rupees", indic_text: null, language_name: "English", at: at + 5_000 }
      ],
      final_agent_variables: {},
      output_agent_variables: {},
      average_agent_response_seconds: null,
      average_user_response_seconds: null,
      ...change
    }
  })?.interaction ?? fail()

const fail = (): never => {
  throw new Error("the conversation is no interaction")
}

/** The result of a connected attempt. */
export const resultWith = (interaction: Interaction | null): AttemptResult => ({
  completion_status: "completed",
  connectivity_status: "connected",
  next_action_status: null,
  failure_reason: null,
  interaction,
  finished_at: at + 60_000
})

/** An ended attempt of a workspace. */
export const attemptOf = (attempt_id: AttemptId, interaction: Interaction | null, workspace_id = "main"): Attempt =>
  Schema.decodeUnknownSync(Attempt)({
    attempt_id,
    org_id: "acme",
    workspace_id,
    kind: "outbound",
    app_id: "collections",
    app_version: 1,
    campaign_id: null,
    cohort_id: null,
    deployment_id: null,
    connection_id: "line",
    channel_provider: "simulator",
    channel_protocol: "text",
    user_identifier: "1",
    user_phone_number: "+919876543210",
    agent_phone_number: "+911140000001",
    retry_attempt: 0,
    agent_variables: {},
    app_overrides: {},
    webhook: null,
    attempted_at: at,
    state: "ended",
    provider_call_id: null,
    result: resultWith(interaction)
  })

/** Words that the listener has heard, by attempt. */
export interface Heard {
  readonly attempt_id: AttemptId
  readonly after: AfterCallResult
}

/** The work on ended calls in memory, over a model. */
export const world = (model: Model, options: { readonly concurrency?: number } = {}) => {
  const heard: Array<Heard> = []
  const listener = Layer.succeed(AfterCallListener, {
    finished: ({ after, attempt: { attempt_id } }) => Effect.sync(() => void heard.push({ attempt_id, after })),
    committed: () => Effect.void
  })
  const stores = Layer.mergeAll(
    AttemptStore.layerMemory,
    AfterCallJobs.layerMemory,
    Transactions.layerMemory,
    AgentCatalog.layerOf([agent])
  )
  const layer = AfterCalls.layer(options).pipe(
    Layer.provide(Layer.merge(listener, Layer.succeed(LanguageModel, model))),
    Layer.provideMerge(stores)
  )
  return { heard, layer }
}

let count = 0

const newId = () => AttemptId.make(`0192f000-0000-7000-8000-${String(++count).padStart(12, "0")}`)

/** Ends a call, as the engine does: stores the attempt and plans the work. Returns the plan. */
export const endCall = (interaction: Interaction | null, workspace?: string) =>
  Effect.gen(function*() {
    const attempt = attemptOf(newId(), interaction, workspace)
    const [version] = agent.versions
    const now = yield* Clock.currentTimeMillis
    const plan = planAfterCall(version, attempt, resultWith(interaction), now)
    yield* (yield* AttemptStore).insertMany([new Attempt(attempt, unchecked)])
    if (plan?.job != null) yield* (yield* AfterCallJobs).insertMany([plan.job])
    yield* (yield* AfterCalls).nudge
    return plan
  })
