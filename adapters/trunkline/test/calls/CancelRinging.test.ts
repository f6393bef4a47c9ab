import { assert, describe, it } from "@effect/vitest"
import type { CallEnded } from "trunkline"
import { later, line, withTrunkline } from "../Fixtures.js"

const allowed_days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

describe("a campaign that is paused with cancel_ringing", () => {
  it("stops the call that rings, and its contact waits as before", async () => {
    const ended = later<CallEnded>()
    await withTrunkline({
      simulator: { speed: 1, default: "no_answer" },
      onCallEnded: (call) => ended.resolve(call)
    }, async (trunkline) => {
      const live = trunkline.live()
      const { campaign_id } = await trunkline.campaigns.create({
        name: "Bills",
        app_config: {
          app_id: "reminder",
          app_version: 1,
          connection_configs: [{ connection_id: line.connection_id, phone_numbers: line.phone_numbers }]
        },
        start_timestamp: new Date(0).toISOString(),
        end_timestamp: "2100-01-01T00:00:00Z",
        allowed_schedule: { allowed_start_time: "00:00", allowed_end_time: "24:00", allowed_days }
      })
      await trunkline.cohorts.uploadToCampaign(campaign_id, {
        name: "People",
        cohort_file: Buffer.from("phone,name\n9876543210,Asha"),
        cohort_transformation_file: JSON.stringify({
          phone_number: { column_name: "phone" },
          app_variables: { name: { column_name: "name" } }
        })
      })
      for await (const { type } of live) if (type === "attempt.started") break
      await trunkline.campaigns.updateStatus(campaign_id, { action: "pause", cancel_ringing: true })
      const { connectivity_status, failure_reason, next_action_status } = await ended.promise
      assert.deepStrictEqual([connectivity_status, failure_reason, next_action_status], [
        "no_answer",
        "cancelled: the campaign was paused",
        "retry"
      ])
      const { contacts } = await trunkline.campaigns.progress(campaign_id)
      assert.deepInclude(contacts, { waiting: 1, calling: 0, finished: 0 })
    })
  })
})
