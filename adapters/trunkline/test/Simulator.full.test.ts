import { assert, describe, it } from "@effect/vitest"
import type { Trunkline } from "trunkline"
import { line, reminder, withFolder, withTrunkline } from "./Fixtures.js"

const to = "+911140000001"
const from = "+919876543210"

const deploy = (trunkline: Trunkline, change: object = {}) =>
  trunkline.deployments.create({
    name: "Desk",
    app_id: "reminder",
    app_version: 1,
    connection_configs: [{ connection_id: "line", phone_numbers: [to] }],
    ...change
  })

describe("a simulated call that comes in", () => {
  it("is taken, and resolves with the words of both when it has ended", () =>
    withTrunkline({}, async (trunkline) => {
      await deploy(trunkline)
      const call = await trunkline.simulator.callIn({
        from,
        to,
        caller: ["Is it open?", { say: "Thank you, goodbye.", hang_up: true }]
      })
      assert.isNull(call.refused)
      const { attempt_id, kind, transcript, user_phone_number } = await call.ended
      assert.strictEqual(attempt_id, call.attempt_id)
      assert.deepStrictEqual([kind, user_phone_number], ["inbound", from])
      const heard = transcript?.filter(({ role }) => role === "user").map(({ en_text }) => en_text)
      assert.deepStrictEqual(heard, ["Is it open?", "Thank you, goodbye."])
    }))

  it("comes from somebody who cooperates when no caller is named, also by a number without a country", () =>
    withTrunkline({}, async (trunkline) => {
      await deploy(trunkline)
      const { ended } = await trunkline.simulator.callIn({ from: "9876543210", to })
      const { completion_status, user_phone_number } = await ended
      assert.deepStrictEqual([completion_status, user_phone_number], ["completed", from])
    }))

  it("is refused with a reason, and its record says so", () =>
    withTrunkline({}, async (trunkline) => {
      const { deployment_id } = await deploy(trunkline)
      await trunkline.deployments.updateStatus(deployment_id, { action: "pause" })
      const { attempt_id, ended, refused } = await trunkline.simulator.callIn({ from, to })
      assert.strictEqual(refused, "deployment_paused")
      const record = await ended
      assert.deepStrictEqual([record.attempt_id, record.failure_reason], [attempt_id, "deployment_paused"])
    }))

  it("is refused without a record where no deployment has the number", () =>
    withTrunkline({}, async (trunkline) => {
      const { attempt_id, ended, refused } = await trunkline.simulator.callIn({ from, to })
      assert.deepStrictEqual([attempt_id, refused], [null, "no_deployment"])
      assert.match(await ended.then(() => "", (error: Error) => error.message), /no record of it: no_deployment/)
    }))

  it("is refused while every line is busy", () =>
    withTrunkline({ lines: [{ ...line, max_channels: 1 }] }, async (trunkline) => {
      await deploy(trunkline)
      const first = await trunkline.simulator.callIn({ from, to, caller: [{ say: "Wait.", after_seconds: 2 }] })
      const second = await trunkline.simulator.callIn({ from: "+919876543211", to })
      assert.deepStrictEqual([first.refused, second.refused], [null, "no_capacity"])
      await first.ended
    }))

  it("cannot be mistaken for one of an earlier start", () =>
    withFolder(async (data) => {
      const callOnce = () =>
        withTrunkline({ data }, async (trunkline) => {
          if ((await trunkline.deployments.list()).total === 0) await deploy(trunkline)
          const call = await trunkline.simulator.callIn({ from, to, caller: "hang_up_early" })
          assert.strictEqual((await call.ended).attempt_id, call.attempt_id)
          return call.attempt_id
        })
      assert.notStrictEqual(await callOnce(), await callOnce())
    }))

  it("needs numbers, a simulated line, and a caller who can call", () =>
    withTrunkline({}, async (trunkline) => {
      const problem = async (change: object) =>
        trunkline.simulator.callIn({ from, to, ...change }).then(() => "", (error: Error) => error.message)
      assert.match(await problem({ from: "12" }), /from/)
      assert.match(await problem({ to: "+911140000009" }), /^to: .*there are \+911140000001/)
      assert.match(await problem({ caller: "busy" }), /caller/)
      assert.match(await problem({ callee: "answer" }), /callee/)
      assert.match(await problem({ caller: [] }), /caller/)
    }))

  it("needs a line of the simulated network", () =>
    withTrunkline({ agents: [reminder], lines: [], simulator: {} }, async (trunkline) => {
      const error = await trunkline.simulator.callIn({ from, to }).then(() => undefined, (error: Error) => error)
      assert.match(String(error?.message), /No line has the provider simulator/)
    }))
})
