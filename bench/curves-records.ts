import { Board, BoardId, Tab, TabId } from "@trunkline/boards"
import { Campaign, CreateCampaign } from "@trunkline/campaigns"
import {
  AppId,
  AttemptId,
  CampaignId,
  ConnectionId,
  DeploymentId,
  OrgId,
  PhoneNumber,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import { AccountId, ApiKey, KeyId } from "@trunkline/rate-limits"
import { Deployment } from "@trunkline/telephony"
import type { Fact, FactNames } from "@trunkline/warehouse"
import { factOf } from "@trunkline/warehouse/fixtures"
import { DateTime, Schema } from "effect"
import { createHash } from "node:crypto"

/** The workspace that owns all records. */
export const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })

/** The account that owns all keys. */
export const account_id = AccountId.make("bench")

const at = (index: number) => DateTime.unsafeMake(Date.UTC(2026, 0, 1) + index * 1_000)

const idOf = (index: number) => index.toString(16).padStart(12, "0")

/** The text of an API key. */
export const keyTextAt = (index: number): string => `sk_test_k${index}_3b1f7c52`

/** An API key. */
export const keyAt = (index: number): ApiKey =>
  new ApiKey({
    key_id: KeyId.make(`k${index}`),
    hash: createHash("sha256").update(keyTextAt(index)).digest("hex"),
    account_id,
    workspaces: "*",
    features: [],
    models: null,
    label: "bench",
    budget: null,
    created_at: at(index),
    revoked_at: null
  })

/** The number that a deployment answers. */
export const numberAt = (index: number): PhoneNumber => PhoneNumber.make(`+91${1_100_000_000 + index}`)

/** A deployment with one number. */
export const deploymentAt = (index: number): Deployment =>
  new Deployment({
    deployment_id: DeploymentId.make(`dep-${idOf(index)}`),
    name: `Desk ${index}`,
    description: null,
    app_id: AppId.make("support"),
    app_version: 1,
    connection_configs: [{ connection_id: ConnectionId.make("sim-1"), phone_numbers: [numberAt(index)] }],
    channel_direction: "inbound",
    inbound_config: null,
    webhook_config: null,
    status: "active",
    created_by: "bench",
    created_at: at(index),
    updated_by: null,
    updated_at: at(index)
  })

const { allowed_schedule, app_config } = Schema.decodeUnknownSync(CreateCampaign)({
  name: "Bench",
  app_config: {
    app_id: "reminder",
    app_version: 1,
    attempts_per_second: 50,
    connection_configs: [{ connection_id: "sim", phone_numbers: ["+911140000001"] }]
  },
  start_timestamp: "2026-01-01T04:30:00Z",
  end_timestamp: "2026-01-08T04:30:00Z",
  allowed_schedule: { allowed_start_time: "09:00", allowed_end_time: "18:00", allowed_days: ["Monday"] }
})

/** A campaign that has ended. */
export const campaignAt = (index: number): Campaign =>
  new Campaign({
    campaign_id: CampaignId.make(`camp-${idOf(index)}`),
    name: `Reminders ${index}`,
    description: null,
    status: "ended",
    app_id: app_config.app_id,
    app_type: "agent",
    app_version: 1,
    app_config: { ...app_config, webhook_config: null },
    start_timestamp: at(index),
    end_timestamp: at(index + 1),
    allowed_schedule,
    created_by: "bench",
    created_at: at(index),
    updated_by: null,
    updated_at: at(index)
  })

const actor = { type: "api_key", id: "bench" } as const

/** A board with one empty tab. */
export const boardAt = (index: number): Board => {
  const audit = { created_by: actor, created_at: at(index), updated_by: actor, updated_at: at(index) }
  const id = BoardId.make(`board-${idOf(index)}`)
  const tab = new Tab({ id: TabId.make(`${id}-main`), name: "Main", position: 0, widgets: [] })
  return new Board({ id, name: `Board ${index}`, tag: null, tabs: [tab], filters: [], ...audit })
}

/** A fact about a call: one each minute. */
export const factAt = (index: number): Fact & FactNames => ({
  ...factOf(scope, index * 60, { attempt_id: AttemptId.make(`attempt-${index}`), duration: 20 + index % 280 }),
  app_name: "Support",
  campaign_name: null,
  cohort_name: null
})
