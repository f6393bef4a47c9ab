import { assert, describe, it } from "@effect/vitest"
import type { Model } from "trunkline"
import { call, withTrunkline } from "../Fixtures.js"

const farewell: Model = {
  generate: async () => ({ text: "Goodbye.", toolRequests: [{ id: "1", name: "end_call", arguments: "{}" }] })
}

const broken: Model = {
  generate: async () => {
    throw new Error("the key sk-abcdefghijkl1234 is refused")
  }
}

describe("what the model was sent, in the record of a call", () => {
  it("is there by default, whole for the first answer", () =>
    withTrunkline({ model: farewell }, async (trunkline) => {
      const { attempt_id } = await (await trunkline.calls.create(call)).ended
      const { model_inputs, transcript } = await trunkline.attempts.get(attempt_id)
      const [first] = model_inputs
      assert.include(first?.system, "You are")
      assert.include(first?.tools ?? [], "end_call")
      assert.strictEqual(first?.messages[0]?.content, "Hello Asha")
      assert.strictEqual(first?.outcome, "answered")
      assert.strictEqual(transcript?.messages[first?.turn ?? 0]?.en_text, "Goodbye.")
    }))

  it("is there of a call that failed, with the reason and without secrets", () =>
    withTrunkline({ model: broken }, async (trunkline) => {
      const { attempt_id } = await (await trunkline.calls.create(call)).ended
      const { model_inputs, transcript } = await trunkline.attempts.get(attempt_id)
      assert.isNull(transcript)
      assert.strictEqual(model_inputs.at(-1)?.outcome, "failed")
      assert.isNotNull(model_inputs.at(-1)?.failure)
      assert.notInclude(JSON.stringify(model_inputs), "abcdefghijkl1234")
    }))

  it("is erased with the person", () =>
    withTrunkline({ model: broken }, async (trunkline) => {
      const { attempt_id } = await (await trunkline.calls.create(call)).ended
      await trunkline.erase({ phone: call.to })
      const gone = await trunkline.attempts.get(attempt_id).catch((error: unknown) => error)
      assert.instanceOf(gone, Error)
    }))

  it("is not kept with keepModelInputs: false", () =>
    withTrunkline({ model: farewell, keepModelInputs: false }, async (trunkline) => {
      const { attempt_id } = await (await trunkline.calls.create(call)).ended
      assert.deepStrictEqual((await trunkline.attempts.get(attempt_id)).model_inputs, [])
    }))
})
