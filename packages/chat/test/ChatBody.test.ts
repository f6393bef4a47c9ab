import { assert, describe, it } from "@effect/vitest"
import { Chat, type ChatVersion } from "@trunkline/chat"
import { macroTask } from "@trunkline/kernel"
import { ModelCatalog, publicModels } from "@trunkline/models"
import { Effect, Fiber, Layer } from "effect"
import { image, onBoth, type Row, user } from "./ChatBodyRows.js"
import { issuesFor, minimalBody, readOnlyChat, requestFor } from "./Doubles.js"

const onV1: ReadonlyArray<Row> = [
  ["extra_body, which v1 ignores", { extra_body: { temperature: 9 } }],
  ["an image", { messages: [{ role: "user", content: [image] }] }, [
    "messages.0.content.0.type: Must be \"text\"",
    "messages.0.content.0.text: This field is required"
  ]]
]

const onV2: ReadonlyArray<Row> = [
  ["fields for the provider", { extra_body: { guided_regex: "a+", user: 1, max_tool_calls: 1 } }],
  ["a field of the body in extra_body", { extra_body: { n: 2, seed: null, top_k: 3 } }, [
    "extra_body.n: Put this field into the body itself",
    "extra_body.seed: Put this field into the body itself"
  ]],
  ["an extra_body inside extra_body", { extra_body: { extra_body: {}, messages: [], stream: true } }, [
    "extra_body.messages: Put this field into the body itself",
    "extra_body.stream: Put this field into the body itself",
    "extra_body.extra_body: Put this field into the body itself"
  ]],
  ["the old names of tools in extra_body", { extra_body: { functions: [], function_call: null } }, [
    "extra_body.functions: Use tools instead, in the body itself",
    "extra_body.function_call: Use tool_choice instead, in the body itself"
  ]],
  ["an extra_body that is a list", { extra_body: [] }, ["extra_body: Must be an object or null"]],

  ["an image, for a model without vision", { messages: [user, { role: "user", content: [image] }] }, [
    "messages.1.content.0: This model does not take images"
  ]],
  [
    "an image",
    { messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, image] }] },
    [],
    "model-v"
  ],
  [
    "an image in high detail",
    {
      messages: [{ role: "guide", content: [{ ...image, image_url: { ...image.image_url, detail: "high" } }] }]
    },
    [],
    "model-v"
  ],
  [
    "an image with an unknown detail",
    {
      messages: [{ role: "user", content: [{ ...image, image_url: { ...image.image_url, detail: "huge" } }] }]
    },
    ["messages.0.content.0.image_url.detail: Must be \"auto\", \"low\", \"high\" or null"],
    "model-v"
  ],
  [
    "an image by URL",
    {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] }]
    },
    ["messages.0.content.0.image_url.url: Images must be sent inline, as a data: URL; addresses are not fetched"],
    "model-v"
  ],
  ["an unknown part", { messages: [{ role: "user", content: [{ type: "audio", data: "" }] }] }, [
    "messages.0.content.0.type: Must be \"text\" or \"image_url\""
  ]],

  ["the max effort", { reasoning_effort: "max" }, [], "model-d"],
  ["the max effort, for a model without it", { reasoning_effort: "max" }, [
    "reasoning_effort: This model takes only low, medium, high"
  ], "model-g"],
  ["a medium effort, for a model that always reasons", { reasoning_effort: "medium" }, [], "model-g"],
  ["a null effort, for a model that always reasons", { reasoning_effort: null }, [], "model-g"],
  ["an effort, for a model that never reasons", { reasoning_effort: "low" }, [
    "reasoning_effort: This model does not think"
  ], "model-v"],
  ["a null effort, for a model that never reasons", { reasoning_effort: null }, [], "model-v"],
  ["logprobs, for a model without them", { logprobs: true, top_logprobs: 3 }, [
    "logprobs: This model does not tell logprobs",
    "top_logprobs: This model does not tell logprobs"
  ], "model-g"],
  ["a top_logprobs of 0, for a model without them", { top_logprobs: 0 }, [
    "top_logprobs: This model does not tell logprobs"
  ], "model-g"],
  ["logprobs false, for a model without them", { logprobs: false }, [], "model-g"],
  ["five stops, for a model without stop sequences", { stop: ["a", "b", "c", "d", "e"] }, [
    "stop: Must have at most 4 items"
  ], "model-g"]
]

const check = (version: ChatVersion) => ([about, fields, faults = [], model]: Row) =>
  it.effect(`${faults.length === 0 ? "accepts" : "rejects"} ${about}`, () =>
    Effect.map(
      issuesFor(version, { ...minimalBody(model), ...fields }),
      (issueList) => assert.deepStrictEqual(issueList, faults)
    ))

const served: ReadonlyArray<readonly [model: unknown, v1: ReadonlyArray<string>, v2: ReadonlyArray<string>]> = [
  ["core-105b", [], []],
  ["core-105b-conversations", [], ["no such model"]],
  ["model-g", ["no such model"], []],
  ["model-v", ["no such model"], []],
  ["model-d", ["no such model"], []],
  ["Core-105b", ["no such model"], ["no such model"]],
  ["core-105b ", ["no such model"], ["no such model"]],
  ["toString", ["no such model"], ["no such model"]],
  ["", ["no such model"], ["no such model"]],
  [null, ["model: Must be a string"], ["model: Must be a string"]],
  [7, ["model: Must be a string"], ["model: Must be a string"]],
  [undefined, ["model: This field is required"], ["model: This field is required"]]
]

describe("a body of v1", () => {
  ;[...onBoth, ...onV1].forEach(check("v1"))
})

describe("a body of v2", () => {
  ;[...onBoth, ...onV2].forEach(check("v2"))
})

describe("the model of a body", () => {
  for (const [model, v1, v2] of served) {
    it.effect(`is looked up by its exact id: ${JSON.stringify(model)}`, () =>
      Effect.gen(function*() {
        const body = { ...minimalBody(), model }
        assert.deepStrictEqual(yield* issuesFor("v1", body), v1)
        assert.deepStrictEqual(yield* issuesFor("v2", body), v2)
      }))
  }

  it.effect("is read before the rest of the body is validated", () =>
    Effect.gen(function*() {
      const chat = yield* Chat
      assert.strictEqual(yield* chat.modelOf("v2", { model: "model-g", messages: 1 }), "model-g")
      assert.deepStrictEqual(yield* issuesFor("v2", { model: "model-x", messages: 1 }), ["no such model"])
    }).pipe(Effect.provide(readOnlyChat)))

  it.effect("is looked up in the given catalog", () =>
    Effect.gen(function*() {
      const catalog = { "house-7b": { ...publicModels["core-105b"], routes: ["chat_v1"] as const } }
      const modelOf = (model: string) =>
        Effect.flatMap(Chat, (chat) => chat.modelOf("v1", { model })).pipe(
          Effect.provide(Layer.provide(readOnlyChat, Layer.succeed(ModelCatalog, catalog)))
        )
      assert.strictEqual(yield* modelOf("house-7b"), "house-7b")
      assert.strictEqual((yield* Effect.flip(modelOf("core-105b")))._tag, "NotFound")
    }))

  for (const body of [null, undefined, [], "a", 1]) {
    it.effect(`is not read from ${JSON.stringify(body)}`, () =>
      Effect.map(
        issuesFor("v1", body),
        (issueList) =>
          assert.deepStrictEqual(issueList, [body === undefined ? ": This field is required" : ": Must be an object"])
      ))
  }
})

describe("the issues of a body", () => {
  it.effect("are at most a hundred, and never contain its values", () =>
    Effect.gen(function*() {
      const secret = "98765-43210"
      const messages = Array.from({ length: 500 }, () => ({ role: secret, content: { secret }, name: 7 }))
      const issueList = yield* issuesFor("v2", { ...minimalBody(), messages, stop: [[secret]], tool_choice: secret })
      assert.isAtMost(issueList.length, 100)
      assert.isAbove(issueList.length, 40)
      assert.notInclude(issueList.join(), secret)
    }))

  it.live("are collected in chunks, between which other fibers run", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      const { asking } = yield* requestFor("v1", {
        ...minimalBody(),
        messages: Array.from({ length: 20_000 }, () => user)
      })
      yield* Fiber.interrupt(others)
      assert.strictEqual(asking.request.messages.length, 20_000)
      assert.isAtLeast(turns, 300)
    }))

  it.live("are collected in chunks within one message as well", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns += 1))))
      const content = Array.from({ length: 20_000 }, () => ({ type: "text", text: "a" }))
      yield* requestFor("v1", { ...minimalBody(), messages: [{ role: "user", content }] })
      yield* Fiber.interrupt(others)
      assert.isAtLeast(turns, 300)
    }))
})
