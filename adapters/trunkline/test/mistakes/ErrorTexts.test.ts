import { assert, describe, it } from "@effect/vitest"
import type { Trunkline } from "trunkline"
import { line, withTrunkline } from "../Fixtures.js"
import { problemOf, startOf, untyped } from "./Problems.js"

const callees =
  `Must be "answer", "busy", "no_answer", "decline", "invalid", "provider_error", "hang_up_early", "voicemail" or a list`

describe("the text of an error", () => {
  it("names the callees that there are, and the nearest one", async () => {
    assert.strictEqual(
      await startOf({ simulator: { default: "bussy" } }),
      `simulator.default: ${callees}; did you mean "busy"?`
    )
    const ruleOf = (rule: object) => startOf({ simulator: { rules: [rule] } })
    assert.strictEqual(
      await ruleOf({ suffix: "1", callee: "voice_mail" }),
      `simulator.rules.0.callee: ${callees}; did you mean "voicemail"?`
    )
    assert.strictEqual(await ruleOf({ suffix: "1", callee: 5 }), `simulator.rules.0.callee: ${callees}`)
    assert.strictEqual(
      await ruleOf({ suffix: "last", callee: "busy" }),
      "simulator.rules.0.suffix: Must be the last digits of a number, 1 to 15 of them"
    )
  })

  it("says how many digits a number of a line should have", async () => {
    assert.strictEqual(
      await startOf({ lines: [{ ...line, phone_numbers: ["+911140000001", "+9111400000"] }] }),
      "lines.0.phone_numbers.1: Must have 10 digits after +91, not 8"
    )
  })

  it("says what a method takes in place of a bare word, an id or nothing", () =>
    withTrunkline({}, async ({ calls, campaigns, deployments, keys }) => {
      const actions = `Must be an object with action "pause", "resume" or "cancel"`
      const status = (given: unknown) => problemOf(campaigns.updateStatus("c", untyped(given)))
      assert.strictEqual(await status("pause"), `${actions}; did you mean {"action":"pause"}?`)
      assert.strictEqual(await status("stop"), `${actions}`)
      assert.strictEqual(
        await status({ action: "paused" }),
        `action: Must be "pause", "resume" or "cancel"; did you mean "pause"?`
      )
      assert.match(
        await problemOf(deployments.updateStatus("d", untyped("resume"))),
        /did you mean {"action":"resume"}/
      )
      for (const given of [{}, undefined, { key_id: "k" }]) {
        assert.strictEqual(
          await problemOf(keys.revoke(untyped(given))),
          "key_id: Must be the key_id of a key, as keys.list has it"
        )
      }
      for (const given of [{}, undefined, 4]) {
        assert.strictEqual(await problemOf(campaigns.get(untyped(given))), "campaign_id: Must be an id, as a string")
      }
      assert.strictEqual(
        await problemOf(calls.create(untyped("reminder"))),
        "call: Must be an object with agent and to"
      )
    }))

  it("tells the place of a field that is written one level too high", () =>
    withTrunkline({}, async ({ campaigns, deployments }) => {
      assert.match(
        await problemOf(campaigns.create(untyped({ time_zone: "UTC" }))),
        /^time_zone: is not a known field; did you mean allowed_schedule.timezone\?/
      )
      assert.match(
        await problemOf(deployments.create(untyped({ timezone: "UTC", phone_numbers: [] }))),
        /^timezone: .* did you mean inbound_config.timezone\?; phone_numbers: .* connection_configs.0.phone_numbers\?/
      )
    }))
})

describe("dates in instances of classes", () => {
  class Plan {
    readonly name = "Autumn"
    readonly app_config = {
      app_id: "reminder",
      app_version: 1,
      connection_configs: [{ connection_id: "line", phone_numbers: line.phone_numbers }]
    }
    readonly allowed_schedule = {
      allowed_start_time: "09:00",
      allowed_end_time: "18:00",
      allowed_days: ["Monday"],
      timezone: "Asia/Kolkata"
    }
    constructor(readonly start_timestamp: unknown, readonly end_timestamp: unknown) {}
  }
  const [start, end] = ["2099-01-01T00:00:00.000Z", "2099-02-01T00:00:00.000Z"]
  const create = async ({ campaigns }: Trunkline, from: unknown, to: unknown) =>
    campaigns.get((await campaigns.create(untyped(new Plan(from, to)))).campaign_id)

  it("are taken, as are values that say how they are written in JSON", () =>
    withTrunkline({}, async (trunkline) => {
      const dated = await create(trunkline, new Date(start), new Date(end))
      const moment = { toJSON: () => end }
      const written = await create(trunkline, start, moment)
      for (const { end_timestamp, start_timestamp } of [dated, written]) {
        assert.deepStrictEqual([start_timestamp, end_timestamp], [start, end])
      }
    }))
})
