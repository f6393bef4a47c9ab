import { assert, describe, it } from "@effect/vitest"
import type { Model } from "trunkline"
import { call, withTrunkline } from "../Fixtures.js"

const farewell: Model = {
  generate: async () => ({ text: "Goodbye.", toolRequests: [{ id: "1", name: "end_call", arguments: "{}" }] })
}

const traces = { keep: true, redact: ["phone_numbers", { variable: "name" }] } as const

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    return String(error)
  }
  return ""
}

describe("the trace of a call", () => {
  it("replays through the same agent without a difference, and through another one with its differences", () =>
    withTrunkline({ model: farewell, traces }, async ({ calls, replays }) => {
      const { attempt_id } = await (await calls.create(call)).ended
      const same = await replays.call(attempt_id)
      assert.strictEqual(same.status, "same")
      const changed = { app_id: "reminder", first_message: "Good day {{name}}" }
      const open = await replays.call(attempt_id, { agent: changed })
      assert.strictEqual(open.status, "open")
      assert.strictEqual(open.divergence?.reason, "the model is asked with another conversation before")
      const other = await replays.call(attempt_id, { agent: changed, model: true })
      assert.deepStrictEqual(other.differences, [
        { kind: "words", name: "agent", before: "Hello [name 1]", after: "Good day [name 1]" }
      ])
    }))

  it("has no values that a rule leaves out", () =>
    withTrunkline({ model: farewell, traces }, async ({ calls, replays }) => {
      const { attempt_id } = await (await calls.create(call)).ended
      const text = await replays.trace(attempt_id)
      assert.notInclude(text, "Asha")
      assert.notInclude(text, call.to)
      assert.include(text, `"app_id":"reminder"`)
    }))

  it("is not kept by default, and goes with the person", () =>
    withTrunkline({ model: farewell, traces }, async (trunkline) => {
      const { attempt_id } = await (await trunkline.calls.create(call)).ended
      await trunkline.erase({ phone: call.to })
      assert.include(await failureOf(trunkline.replays.trace(attempt_id)), "No trace of the call")
      await withTrunkline({ model: farewell }, async ({ calls, replays }) => {
        const { attempt_id } = await (await calls.create(call)).ended
        assert.include(await failureOf(replays.call(attempt_id)), "No trace of the call")
      })
    }))

  it("adds up over many calls, and counts those without one", () =>
    withTrunkline({ model: farewell, traces }, async ({ calls, replays }) => {
      const ended = []
      for (let index = 0; index < 3; index++) ended.push(await (await calls.create(call)).ended)
      const seen: Array<string> = []
      const unknown = "00000000-0000-7000-8000-000000000000"
      const all = await replays.calls({}, { onResult: ({ status }) => seen.push(status) })
      assert.deepInclude(all, { calls: 3, same: 3 })
      assert.deepStrictEqual(seen, ["same", "same", "same"])
      const some = await replays.calls({ attempts: [unknown, ended[0]?.attempt_id ?? ""] })
      assert.deepInclude(some, { calls: 2, same: 1, skipped: 1 })
      assert.deepInclude(await replays.calls({ from: new Date(4_000_000_000_000) }), { calls: 0 })
      assert.deepInclude(await replays.calls({}, { agent: "nobody" }), { skipped: 3 })
    }))

  it("tells what is wrong with its options", () =>
    withTrunkline({ model: farewell, traces }, async ({ calls, replays }) => {
      const { attempt_id } = await (await calls.create(call)).ended
      assert.include(await failureOf(replays.call(attempt_id, { agent: "nobody" })), "there is no agent nobody")
      assert.include(await failureOf(replays.call(attempt_id, { version: 9 })), "has no version 9: it has 1")
      const wrong: object = { agnet: "reminder" }
      assert.include(await failureOf(replays.call(attempt_id, wrong)), "agnet")
      for (const pattern of ["(", "(a+)+$"]) {
        const redact = [{ pattern, name: "x" }]
        assert.include(
          await failureOf(withTrunkline({ traces: { keep: true, redact } }, async () => {})),
          "traces.redact.0"
        )
      }
    }))
})
