import { assert, describe, it } from "@effect/vitest"
import { type ModelRequest, type RequestFeature, routeByModel, withoutFeatures } from "@trunkline/models"
import { answers, fakeModel } from "@trunkline/models/testing"
import { Effect } from "effect"
import { ask, hello, read, textOf } from "./Reading.js"

const requestFor = (model: string): ModelRequest => ({ ...hello, model })

describe("routing by model id", () => {
  it.effect("matches ids exactly", () =>
    Effect.gen(function*() {
      const model = routeByModel({ small: fakeModel([answers("Small")]), large: fakeModel([answers("Large")]) })
      assert.strictEqual(yield* ask(model, requestFor("small")), "Small")
      assert.strictEqual(textOf(yield* read(model, requestFor("large"))), "Large")
      assert.strictEqual(yield* ask(model, requestFor("Small")), "ModelUnavailable")
    }))

  it.effect("passes other ids to the default model, if there is one", () =>
    Effect.gen(function*() {
      const model = routeByModel({}, fakeModel([answers("Other")]))
      assert.strictEqual(yield* ask(model, requestFor("toString")), "Other")
      const nobody = routeByModel({ small: fakeModel([answers("Small")]) })
      for (const id of ["toString", "__proto__", "constructor", ""]) {
        assert.strictEqual(yield* ask(nobody, requestFor(id)), "ModelUnavailable")
        assert.strictEqual((yield* read(nobody, requestFor(id))).failure?._tag, "ModelUnavailable")
      }
    }))
})

describe("the features of a request", () => {
  const user = hello.messages
  const image = { type: "image", mediaType: "image/png", base64: "" } as const
  const used: ModelRequest["messages"] = [
    { role: "assistant", content: null, toolRequests: [{ id: "1", name: "look_up", arguments: "{}" }] },
    { role: "tool", toolRequestId: "1", name: "look_up", content: "done" }
  ]
  const examples: ReadonlyArray<readonly [RequestFeature, ModelRequest]> = [
    ["images", { ...hello, messages: [{ role: "user", content: [{ type: "text", text: "Look" }, image] }] }],
    ["tools", { ...hello, tools: [{ name: "look_up" }] }],
    ["tools", { ...hello, messages: [...user, ...used] }],
    ["prefill", { ...hello, messages: [...user, { role: "assistant", content: "{", toolRequests: [] }] }],
    ["format", { ...hello, format: { type: "json" } }],
    ["logprobs", { ...hello, logprobs: 0 }]
  ]

  it("are derived from its fields", () => {
    const features = ["images", "tools", "prefill", "format", "logprobs"] as const
    for (const [feature, request] of examples) {
      const others = features.filter((other) => other !== feature)
      assert.deepStrictEqual([withoutFeatures(feature)(request), withoutFeatures(...others)(request)], [false, true])
    }
    const plain: ModelRequest = { ...hello, tools: [], format: { type: "text" } }
    assert.isTrue(withoutFeatures(...features)(plain))
    assert.isTrue(withoutFeatures(...features)({ ...hello, messages: [] }))
  })
})
