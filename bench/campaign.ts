import { CreateCampaign } from "@trunkline/campaigns"
import { uploadForm } from "@trunkline/cohorts"
import { Engine, type MemoryOptions } from "@trunkline/engine"
import { BusinessTime, type CampaignId, OrgId, Scope, VirtualClock, WorkspaceId } from "@trunkline/kernel"
import { Effect, Schema, Stream } from "effect"

const contacts = 2_000
const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })
const start = Date.parse("2024-05-20T04:30:00Z")

const parts: MemoryOptions = {
  agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
  connections: [{ connection_id: "sim", provider: "simulator", phone_numbers: ["+911140000001"] }],
  maxConcurrentCalls: 500,
  simulator: { rules: [{ suffix: "7", callee: "busy" }, { suffix: "8", callee: "no_answer" }] }
}

const body = Schema.decodeUnknownSync(CreateCampaign)({
  name: "Bench",
  app_config: {
    app_id: "reminder",
    app_version: 1,
    attempts_per_second: 20,
    connection_configs: [{ connection_id: "sim", phone_numbers: ["+911140000001"] }],
    retry_config: { max_retries: 1, retry_interval_minutes: 10 }
  },
  start_timestamp: "2024-05-20T04:30:00Z",
  end_timestamp: "2024-05-27T04:30:00Z",
  allowed_schedule: {
    allowed_start_time: "09:00",
    allowed_end_time: "18:00",
    allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
  }
})

const rows = Array.from({ length: contacts }, (_, index) => `${index},9${String(800_000_000 + index)}`)
const utf8 = new TextEncoder()
const upload = () => ({
  form: uploadForm({
    name: "Bench",
    file: Stream.succeed(utf8.encode(`id,mobile\n${rows.join("\n")}\n`)),
    transformation: utf8.encode(JSON.stringify({ phone_number: { column_name: "mobile" } }))
  }),
  createdBy: "bench"
})

const ended = (id: CampaignId): Effect.Effect<void, never, Engine> =>
  Effect.gen(function*() {
    const { status } = yield* Effect.orDie((yield* Engine).campaigns.get(scope, id))
    if (status === "ended") return
    yield* BusinessTime.sleep("1 minute")
    yield* ended(id)
  })

const campaign = Effect.gen(function*() {
  const engine = yield* Engine
  const { campaign_id } = yield* engine.campaigns.create(scope, body, "bench")
  yield* engine.cohorts.upload(scope, { kind: "campaign", id: campaign_id }, upload())
  yield* ended(campaign_id)
  return (yield* BusinessTime.now) - start
})

/** Complete calls per second of an in-memory campaign on virtual time: dial, conversation, retries, webhook, records. */
export const run = async (): Promise<void> => {
  const began = performance.now()
  const simulated = await Effect.runPromise(
    VirtualClock.run(Effect.provide(campaign, Engine.layerMemory(parts)), { start })
  )
  const seconds = (performance.now() - began) / 1000
  const calls = contacts * 1.2
  console.log(
    `  ${calls} calls to ${contacts} contacts in ${seconds.toFixed(1)} s: ${Math.round(calls / seconds)} calls/s`
  )
  console.log(
    `  ${(simulated / 60_000).toFixed(0)} simulated minutes: ${Math.round(simulated / 1000 / seconds)} times real time`
  )
}
