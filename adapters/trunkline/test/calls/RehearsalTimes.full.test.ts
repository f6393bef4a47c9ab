import { assert, describe, it } from "@effect/vitest"
import type { TrunklineOptions } from "trunkline"
import { line, withTrunkline } from "../Fixtures.js"

/** People whom a rehearsed campaign reaches, each of whom answers after a minute. */
const reached = (callLimits: TrunklineOptions["callLimits"] = {}) =>
  withTrunkline({ callLimits }, async ({ campaigns }) => {
    const { campaign_id } = await campaigns.create({
      name: "Renewals",
      app_config: {
        app_id: "reminder",
        app_version: 1,
        connection_configs: [{ connection_id: line.connection_id, phone_numbers: line.phone_numbers }]
      },
      start_timestamp: "2035-01-01T00:00:00Z",
      end_timestamp: "2035-02-01T00:00:00Z",
      allowed_schedule: {
        timezone: "Asia/Kolkata",
        allowed_start_time: "09:00",
        allowed_end_time: "18:00",
        allowed_days: ["Monday"]
      }
    })
    const report = await campaigns.rehearse(campaign_id, {
      contacts: 5,
      callees: {
        hours: [{ from: 0, to: 24, answer: 1, voicemail: 0, busy: 0, failed: 0, provider_error: 0 }],
        people: { invalid_number: 0, never_answer: 0, habit: 0 },
        ring_seconds: { answer: 60 }
      }
    })
    return report.reached.people
  })

describe("a rehearsal", () => {
  it("lets phones ring for as long as the engine does", async () => {
    assert.strictEqual(await reached(), 0)
    assert.strictEqual(await reached({ ring_timeout_seconds: 90 }), 5)
  })
})
