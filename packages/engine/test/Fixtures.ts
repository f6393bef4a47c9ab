import { CreateCampaign } from "@trunkline/campaigns"
import { type CohortCategory, type CohortOwner, uploadForm } from "@trunkline/cohorts"
import { AppId, BusinessTime, type CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { CreateDeployment } from "@trunkline/telephony"
import { Effect, Schema, Stream } from "effect"
import { Engine, type MemoryOptions } from "../src/index.js"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const collections = AppId.make("collections")

/** Monday 20 May 2024, 10:00 in India. */
export const mondayMorning = Date.parse("2024-05-20T04:30:00Z")

/** Agent with default settings, and one uncommitted version. */
export const agents: MemoryOptions["agents"] = [{
  app_id: "collections",
  versions: [{ app_version: 1, committed: true }, { app_version: 2, committed: false }]
}]

export const connections: MemoryOptions["connections"] = [{
  connection_id: "sim-1",
  provider: "simulator",
  phone_numbers: ["+911140000001"]
}]

const utf8 = new TextEncoder()

export const transformation = utf8.encode(JSON.stringify({
  phone_number: { column_name: "mobile" },
  user_identifier: { column_name: "id", required: true },
  app_variables: { customer_name: { column_name: "name" } }
}))

/** Uploads a CSV, and waits until its contacts are imported. */
export const upload = (owner: CohortOwner, csv: string, category: CohortCategory = "cohort") =>
  Effect.gen(function*() {
    const { cohorts } = yield* Engine
    const form = uploadForm({ name: "May", file: Stream.succeed(utf8.encode(csv)), transformation, category })
    const { cohort_id } = yield* cohorts.upload(scope, owner, { form, createdBy: "demo" })
    return yield* cohorts.finished(scope, owner, cohort_id)
  })

export const campaignBody = (config: Record<string, unknown> = {}) =>
  Schema.decodeUnknownSync(CreateCampaign)({
    name: "May reminders",
    app_config: {
      app_id: "collections",
      app_version: 1,
      connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }],
      ...config
    },
    start_timestamp: "2024-05-20T04:30:00Z",
    end_timestamp: "2024-05-27T04:30:00Z",
    allowed_schedule: {
      allowed_start_time: "09:00",
      allowed_end_time: "18:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    }
  })

/** Waits until a campaign is over. */
export const over = (id: CampaignId): Effect.Effect<void, never, Engine> =>
  Effect.gen(function*() {
    const { status } = yield* Effect.orDie((yield* Engine).campaigns.get(scope, id))
    if (status === "ended") return
    yield* BusinessTime.sleep("1 minute")
    yield* over(id)
  })

export const deploymentBody = Schema.decodeUnknownSync(CreateDeployment)({
  name: "Desk",
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
})
