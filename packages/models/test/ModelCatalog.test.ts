import { assert, describe, it } from "@effect/vitest"
import { conversationModel, efforts, findModel, ModelCatalog, modelIds, publicModels } from "@trunkline/models"
import { Effect, Layer } from "effect"

const facts = Object.entries(publicModels)

describe("the public models", () => {
  it("are the five in the catalog, and no other id is known", () => {
    assert.deepStrictEqual(Object.keys(publicModels), [...modelIds])
    assert.strictEqual(modelIds.length, 5)
    for (const id of modelIds) assert.strictEqual(findModel(publicModels, id), publicModels[id])
    for (const id of ["Core-105b", "core-105b ", "", "toString", "__proto__"]) {
      assert.isUndefined(findModel(publicModels, id), id)
    }
  })

  it("have the documented context lengths", () => {
    const contexts = facts.map(([id, { contextTokens }]) => [id, contextTokens])
    assert.deepStrictEqual(contexts, [
      ["core-105b", 131_072],
      ["core-105b-conversations", 32_768],
      ["model-g", 1_048_576],
      ["model-v", null],
      ["model-d", null]
    ])
  })

  it("are served on their routes only", () => {
    const on = (route: "chat_v1" | "chat_v2" | "responses") =>
      facts.filter(([, { routes }]) => routes.includes(route)).map(([id]) => id)
    assert.deepStrictEqual(on("chat_v1"), ["core-105b", "core-105b-conversations"])
    assert.deepStrictEqual(on("chat_v2"), ["core-105b", "model-g", "model-v", "model-d"])
    assert.deepStrictEqual(on("responses"), ["core-105b", "model-g", "model-v", "model-d"])
    assert.strictEqual(conversationModel, "core-105b-conversations")
  })

  it("are rate limited by their tier", () => {
    const core = facts.filter(([, { tier }]) => tier === "core").map(([id]) => id)
    assert.deepStrictEqual(core, ["core-105b", "core-105b-conversations"])
  })

  it("accept the documented reasoning efforts", () => {
    assert.deepStrictEqual(publicModels["model-g"].thinking, {
      when: "always",
      onChat: ["low", "medium", "high"],
      onResponses: ["low", "high"]
    })
    assert.deepStrictEqual(publicModels["model-d"].thinking, {
      when: "usually",
      onChat: efforts,
      onResponses: ["low", "high", "max"]
    })
    assert.deepStrictEqual(publicModels["core-105b"].thinking, { when: "usually", onChat: efforts, onResponses: [] })
    assert.deepStrictEqual(publicModels["model-v"].thinking, { when: "never", onChat: [], onResponses: [] })
  })

  it("differ in images, log probabilities and defaults", () => {
    const those = (is: (id: keyof typeof publicModels) => boolean) => modelIds.filter(is)
    assert.deepStrictEqual(those((id) => publicModels[id].images), ["model-v"])
    assert.deepStrictEqual(those((id) => !publicModels[id].logprobs), ["model-g"])
    assert.deepStrictEqual(publicModels["model-g"].defaults, { temperature: 1, topP: 0.95 })
    assert.deepStrictEqual(publicModels["core-105b"].defaults, { temperature: 0.2, topP: 1 })
  })
})

describe("a catalog", () => {
  it.effect("has the public models unless a layer provides another one", () =>
    Effect.gen(function*() {
      const models = { mine: { ...publicModels["model-v"], contextTokens: 100 } }
      assert.strictEqual(yield* ModelCatalog, publicModels)
      const catalog = yield* Effect.provide(ModelCatalog, Layer.succeed(ModelCatalog, models))
      assert.strictEqual(findModel(catalog, "mine")?.contextTokens, 100)
      assert.isUndefined(findModel(catalog, "model-v"))
    }))
})
