import { CreateCampaign } from "@trunkline/campaigns"
import { uploadForm } from "@trunkline/cohorts"
import type { Engine } from "@trunkline/engine"
import { type CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { CreateOutbound } from "@trunkline/telephony"
import { Effect, Schedule, Schema, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Number of people in the campaign, unless others are wanted. */
export const people = 40

/** Workspace of the tests. */
export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

/** A campaign that dials at a rate per second. */
export const campaignBody = (rate: number) =>
  Schema.decodeUnknownSync(CreateCampaign)({
    name: "Shared",
    app_config: {
      app_id: "reminder",
      app_version: 1,
      attempts_per_second: rate,
      connection_configs: [{ connection_id: "trunk", phone_numbers: ["+911140000001"] }],
      retry_config: {
        max_retries: 0,
        retry_on: { internal_error: { enabled: false }, provider_error: { enabled: false } }
      }
    },
    start_timestamp: "2024-05-20T04:30:00Z",
    end_timestamp: "2099-05-27T04:30:00Z",
    allowed_schedule: {
      allowed_start_time: "00:00",
      allowed_end_time: "24:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    }
  })

/** A call to somebody outside of the campaign. */
export const outboundBody = Schema.decodeUnknownSync(CreateOutbound)({
  app_config: {
    app_id: "reminder",
    app_version: 1,
    connection_config: { connection_id: "trunk", agent_phone_number: "+911140000001" }
  },
  user_config: { user_phone_number: "+919000000001" }
})

const utf8 = new TextEncoder()
const makeForm = (count: number) => {
  const rows = Array.from({ length: count }, (_, index) => `person-${index},${9_876_500_000 + index}`)
  return uploadForm({
    name: "People",
    file: Stream.make(utf8.encode(`id,mobile\n${rows.join("\n")}\n`)),
    transformation: utf8.encode(JSON.stringify({ phone_number: { column_name: "mobile" } }))
  })
}

/** A folder that is removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Creates the campaign with its people, who are called at a rate per second. */
export const createCampaign = (engine: typeof Engine.Service, count = people, rate = 20) =>
  Effect.gen(function*() {
    const { campaign_id } = yield* engine.campaigns.create(scope, campaignBody(rate), "tests")
    const owner = { kind: "campaign", id: campaign_id } as const
    yield* engine.cohorts.upload(scope, owner, { form: makeForm(count), createdBy: "tests" })
    return campaign_id
  })

/** Waits until a campaign has ended, and returns its contacts by state. */
export const ended = (engine: typeof Engine.Service, id: CampaignId) =>
  Effect.gen(function*() {
    const status = Effect.map(engine.campaigns.get(scope, id), ({ status }) => status)
    yield* Effect.repeat(Effect.delay(status, "100 millis"), { until: (status) => status === "ended" })
    return (yield* engine.progress.of(scope, id)).contacts
  })

/** Does what `ended` does, through outages of the database. */
export const endedPatiently = (engine: typeof Engine.Service, id: CampaignId) =>
  Effect.retry(Effect.sandbox(ended(engine, id)), { schedule: Schedule.spaced("200 millis") })

/** Contacts of the campaign when it has ended. */
export const everybody = { waiting: 0, calling: 0, finished: people }
