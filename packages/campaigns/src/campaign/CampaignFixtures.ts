import { AppId, CampaignId, ConnectionId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import { RetryConfig } from "../retry/RetryPolicy.js"
import { Campaign } from "./Campaign.js"

/** A second of one minute. */
export const at = (second: number) => DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: second })

/** A workspace of the tests. */
export const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

const app_id = AppId.make("support")

/** A campaign that has everything. */
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
