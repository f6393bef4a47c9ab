import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { actOn } from "../src/campaign/Campaign.js"
import type { CampaignAction, CampaignStatus } from "../src/index.js"

describe("actOn", () => {
  const table: ReadonlyArray<readonly [CampaignStatus, CampaignAction, boolean, CampaignStatus | "refused"]> = [
    ["scheduled", "pause", false, "paused"],
    ["scheduled", "resume", false, "refused"],
    ["scheduled", "cancel", false, "cancelled"],
    ["active", "pause", true, "paused"],
    ["active", "resume", true, "refused"],
    ["active", "cancel", true, "cancelled"],
    ["paused", "pause", true, "refused"],
    ["paused", "resume", true, "active"],
    ["paused", "resume", false, "scheduled"],
    ["paused", "cancel", true, "cancelled"],
    ["ended", "pause", true, "refused"],
    ["ended", "resume", true, "refused"],
    ["ended", "cancel", true, "refused"],
    ["cancelled", "pause", true, "refused"],
    ["cancelled", "resume", true, "refused"],
    ["cancelled", "cancel", true, "refused"]
  ]
  for (const [status, action, started, expected] of table) {
    it(`${action} of a ${status} campaign ${started ? "after" : "before"} its start: ${expected}`, () => {
      const result = actOn(status, action, started)
      assert.strictEqual(Either.isRight(result) ? result.right : "refused", expected)
    })
  }
})
