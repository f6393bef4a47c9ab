import { decodeAgent } from "@trunkline/agents"
import type { EndedCall, Transcript } from "@trunkline/analytics"
import { ChartRenderer } from "@trunkline/charts"
import { Engine, type MemoryOptions } from "@trunkline/engine"
import {
  AcceleratedTime,
  AppId,
  AttemptId,
  ConnectionId,
  InteractionId,
  OrgId,
  PhoneNumber,
  Scope,
  unchecked,
  WorkspaceId
} from "@trunkline/kernel"
import { Account, AccountId, AccountStore, type KeyTerms, RateLimits, Workspace } from "@trunkline/rate-limits"
import { modemTranscriber, modemVoice } from "@trunkline/speech"
import { Attempt, AttemptStore, Connection } from "@trunkline/telephony"
import { FactsLog } from "@trunkline/warehouse"
import { factOf } from "@trunkline/warehouse/fixtures"
import { HttpSender } from "@trunkline/webhooks"
import { DateTime, Effect, Layer, Redacted, Stream, Struct } from "effect"

/**
 * API keys for tests: `main` has access to the workspace `acme/main`, `side` to `acme/side` of the same account, and
 * `foreign` to `globex/main` of another account. `beta` has access to `acme/main`, chat v2 and responses; `narrow` too, but
 * only to the models `core-105b` and `model-g`. `prepaid` is like `beta`, for an account with one credit.
 */
export const testKeys = {
  main: "sk_test_main_3b1f7c52",
  beta: "sk_test_beta_7d20c4a9",
  narrow: "sk_test_narrow_15e8b03d",
  prepaid: "sk_test_prepaid_aa61f7e4",
  side: "sk_test_side_90ad4e16",
  foreign: "sk_test_foreign_c7280bd9"
} as const

/** The only file that `testEngine` can download. Its URL contains a secret, as signed URLs do. */
export const testDownload = {
  url: "https://files.example/people.csv?signature=quiet-signature",
  csv: "mobile,name\n9876543210,Asha\nnobody,Ravi\n"
} as const

/** The only interaction that `testEngine` begins with: of the agent `collections` in `acme/main`. */
export const testInteraction = InteractionId.make("20260101-01890a5d-ac96-774b-bcce-b302099a8057")

/** The attempt of `testInteraction`. */
export const testAttempt = AttemptId.make("01890a5d-ac96-774b-bcce-b302099a8057")

const acme = OrgId.make("acme")
const main = WorkspaceId.make("main")
const side = WorkspaceId.make("side")
const numbers = ["+911140000001", "+911140000002", "+911140000003"].map((number) => PhoneNumber.make(number))

const globex = OrgId.make("globex")
const initech = OrgId.make("initech")
const beta = ["beta"] as const

const owners: ReadonlyArray<{
  readonly key: string
  readonly org_id: OrgId
  readonly workspace_id: WorkspaceId
  readonly features?: KeyTerms["features"]
  readonly models?: KeyTerms["models"]
  readonly credits?: number
}> = [
  { key: testKeys.main, org_id: acme, workspace_id: main },
  { key: testKeys.side, org_id: acme, workspace_id: side },
  { key: testKeys.foreign, org_id: globex, workspace_id: main },
  { key: testKeys.beta, org_id: acme, workspace_id: main, features: beta },
  { key: testKeys.narrow, org_id: acme, workspace_id: main, features: beta, models: ["core-105b", "model-g"] },
  { key: testKeys.prepaid, org_id: initech, workspace_id: main, features: beta, credits: 1_000_000 }
]

const startedAt = DateTime.unsafeMake("2026-01-01T09:00:00Z")

const transcript: Transcript = {
  interaction_id: testInteraction,
  messages: [{ role: "agent", en_text: "Hello", indic_text: null, language_name: "English", timestamp: startedAt }]
}

const call: EndedCall = {
  org_id: acme,
  workspace_id: main,
  app_id: AppId.make("collections"),
  attempt_id: testAttempt,
  app_version: 1,
  deployment_id: null,
  campaign_id: null,
  cohort_id: null,
  user_identifier: "customer-1",
  user_contact: PhoneNumber.make("+919876543210"),
  channel_direction: "outbound",
  channel_type: "v2v",
  channel_provider: "simulator",
  channel_protocol: "simulated",
  retry_attempt: 0,
  server_retry_attempt: 0,
  is_debug_call: 0,
  has_log_issues: 0,
  job_id: null,
  correlation_id: null,
  attempted_at: startedAt,
  completion_status: "completed",
  connectivity_status: "connected",
  next_action_status: null,
  failure_reason: null,
  conversation: {
    interaction_id: testInteraction,
    start_datetime: startedAt,
    end_datetime: DateTime.add(startedAt, { minutes: 1 }),
    duration_in_seconds: 60,
    language_name: "English",
    num_messages: 1,
    average_agent_response_time_in_seconds: null,
    average_user_response_time_in_seconds: null,
    audio_url: null,
    ended_by: "AGENT_ENDS",
    agent_variables: {}
  }
}

/** The same call as an attempt that is over. */
const attempt = new Attempt({
  ...Struct.pick(call, "org_id", "workspace_id", "app_id", "attempt_id", "app_version", "user_identifier"),
  kind: "outbound",
  campaign_id: null,
  cohort_id: null,
  deployment_id: null,
  connection_id: ConnectionId.make("sim-1"),
  channel_provider: call.channel_provider,
  channel_protocol: call.channel_protocol,
  user_phone_number: call.user_contact,
  agent_phone_number: PhoneNumber.make("+911140000001"),
  retry_attempt: 0,
  agent_variables: {},
  app_overrides: {},
  webhook: null,
  attempted_at: startedAt.epochMillis,
  state: "ended",
  provider_call_id: null,
  result: null
}, unchecked)

const inMain = new Scope({ org_id: acme, workspace_id: main })

/** Facts in the warehouse at the start, in two workspaces. */
const initialFacts = [
  { scope: inMain, number: 1, app_id: "collections" },
  { scope: inMain, number: 2, app_id: "collections" },
  { scope: inMain, number: 3, app_id: "reminders" },
  { scope: new Scope({ org_id: acme, workspace_id: side }), number: 4, app_id: "collections" }
]

/** The header of an empty WAV file. */
const emptyWav = new TextEncoder().encode("RIFF\u0024\0\0\0WAVEfmt ")

/** Creates the accounts, keys and records. */
const seed = Effect.gen(function*() {
  const { accounts, analytics, facts, keys, recordings } = yield* Engine
  const log = yield* FactsLog
  const store = yield* AccountStore
  for (const owner of owners) {
    const { credits = null, features = [], key, models = null, org_id, workspace_id } = owner
    const account_id = AccountId.make(org_id)
    yield* accounts.put(new Account({ account_id, plan: "starter", credits }))
    yield* store.putWorkspace(new Workspace({ account_id, org_id, workspace_id }))
    yield* keys.adopt(account_id, {
      text: Redacted.make(key),
      terms: { workspaces: [workspace_id], features, models, label: "tests", budget: null }
    })
  }
  yield* analytics.recordMany([{ call, transcript }])
  yield* (yield* AttemptStore).insertMany([attempt])
  yield* recordings.keep(inMain, testInteraction, Stream.make(emptyWav))
  for (const { app_id, number, scope } of initialFacts) {
    yield* log.appendMany([{ scope, fact: factOf(scope, number, { app_id: AppId.make(app_id) }) }])
    yield* facts.catchUp(scope)
  }
})

const agents = [
  {
    app_id: "collections",
    versions: [
      { app_version: 1, committed: true },
      { app_version: 2, committed: false },
      { app_version: 3, committed: true, output_variables: [{ name: "paid" }] }
    ]
  },
  { app_id: "reminders", versions: [{ app_version: 1, committed: true, variables: ["customer_name"] }] }
]

/**
 * Engine in memory with the workspaces of `testKeys`, the agents `collections` (versions 1 and 3 are committed, version 2 is not)
 * and `reminders` (which declares the variable `customer_name`), the connection `sim-1` with the numbers `+911140000001` to
 * `+911140000003`, the modem voice, and one finished call. Webhooks are answered with 204.
 * Business time runs 600 times as fast as real time. There are no rate limits unless the options set some.
 */
export const testEngineWith = (
  options: Pick<
    MemoryOptions,
    "browserCalls" | "codecs" | "limits" | "load" | "model" | "responses" | "speech" | "synthesizer"
  >
) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.forEach(agents, (agent) => decodeAgent(agent)),
      (agents) =>
        Layer.effectDiscard(seed).pipe(Layer.provideMerge(Engine.layerMemory({
          limits: RateLimits.layerUnlimited,
          charts: ChartRenderer.layerMemory,
          synthesizer: modemVoice({ cloning: "zero-shot" }),
          transcriber: modemTranscriber,
          sender: HttpSender.layerMemory,
          ...options,
          agents,
          downloads: { [testDownload.url]: new TextEncoder().encode(testDownload.csv) },
          connections: [
            new Connection({
              connection_id: ConnectionId.make("sim-1"),
              provider: "simulator",
              phone_numbers: numbers,
              options: {}
            })
          ]
        })))
    )
  ).pipe(Layer.provide(AcceleratedTime.layer({ speed: 600, start: startedAt.epochMillis })))

/** `testEngineWith` default options. */
export const testEngine = testEngineWith({})
