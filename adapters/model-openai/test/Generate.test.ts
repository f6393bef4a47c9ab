import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { modelBefore } from "./fixtures/Asking.js"
import { chunk, event, hello, json, streaming, usage, usageChunk, whole, words } from "./fixtures/Wire.js"

describe("a whole response", () => {
  it.scopedLive("has all fields of a completion", () =>
    Effect.gen(function*() {
      const tool_calls = [
        { id: "a", type: "function", function: { name: "weather", arguments: "{\"city\":\"Pune\"}" } },
        { id: "", type: "function", function: { name: "dice", arguments: "" } }
      ]
      const message = {
        role: "assistant",
        content: "Let me look.",
        reasoning_content: "Hm.",
        refusal: null,
        tool_calls
      }
      const { model, upstream } = yield* modelBefore(json(whole(message, "stop", { usage: usageChunk().usage })))
      assert.deepStrictEqual(yield* model.generate(hello), {
        text: "Let me look.",
        reasoning: "Hm.",
        refusal: null,
        toolRequests: [
          { id: "a", name: "weather", arguments: "{\"city\":\"Pune\"}" },
          { id: "call_2", name: "dice", arguments: "{}" }
        ],
        finish: "tool_calls",
        usage,
        logprobs: []
      })
      assert.notProperty(upstream.requests[0]?.body, "stream")
    }))

  it.scopedLive("reuses its connections", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(json(whole({ content: "Hi" })))
      for (let answer = 0; answer < 20; answer++) yield* model.generate(hello)
      assert.isAtMost(upstream.connections(), 2, "an answer may end a moment before its connection is free")
    }))

  it.scopedLive("may begin with a byte order mark, and be split anywhere", () =>
    Effect.gen(function*() {
      const bytes = new TextEncoder().encode(`\uFEFF${JSON.stringify(whole({ content: "नमस्ते 👋" }))}`)
      const { model } = yield* modelBefore([
        { status: 200, headers: { "content-type": "application/json" } },
        ...[...bytes.keys()].filter((at) => at % 7 === 0).flatMap((
          at
        ) => [{ write: bytes.subarray(at, at + 7) }, { pause: 1 }]),
        "end"
      ])
      assert.strictEqual((yield* model.generate(hello)).text, "नमस्ते 👋")
    }))

  it.scopedLive("that is not a completion is a failure", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([])
      const type = (type: string) => ({ status: 200, headers: { "content-type": type } })
      const page = [type("text/html"), { write: "<html>Welcome</html>" }, "end"] as const
      const cut = [type("application/json"), { write: "{\"choices\":[{\"message\":{\"content\":\"Hi" }, "end"] as const
      const documents = [
        [],
        "Hi",
        null,
        {},
        { choices: [] },
        { choices: null },
        { choices: [null] },
        whole({ content: "Hi" }, null),
        { choices: [{ index: 0, finish_reason: null }] }
      ]
      for (const script of [page, cut, ...documents.map((document) => json(document))]) {
        upstream.answer(script)
        assert.strictEqual((yield* Effect.flip(model.generate(hello)))._tag, "ModelFailed")
      }
    }))

  it.scopedLive("that is too large is aborted", () =>
    Effect.gen(function*() {
      const megabyte = { write: "x".repeat(1024 * 1024) }
      const { model, upstream } = yield* modelBefore([
        { status: 200, headers: { "content-type": "application/json" } },
        ...Array.from({ length: 12 }, () => megabyte),
        "hang"
      ])
      const failure = yield* Effect.flip(model.generate(hello))
      assert.strictEqual(failure.message, "The model's answer is larger than the limit of 8388608 bytes")
      yield* Effect.promise(async () => upstream.requests[0]?.closed)
    }))

  it.scopedLive("is requested as a stream if its progress is watched", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(
        streaming(chunk({ reasoning_content: "Hm." }), words("Hi"), words(" there"), chunk({}, "stop"), usageChunk()),
        { watchWhole: true, timeouts: { firstToken: 100 } }
      )
      assert.deepStrictEqual(yield* model.generate(hello), {
        text: "Hi there",
        reasoning: "Hm.",
        refusal: null,
        toolRequests: [],
        finish: "stop",
        usage,
        logprobs: []
      })
      assert.isTrue(upstream.requests[0]?.body.stream)
      upstream.answer([{ write: ": ping\n\n" }, "hang"])
      assert.strictEqual((yield* Effect.flip(model.generate(hello)))._tag, "ModelTimedOut")
      upstream.answer([{ write: event(words("Hi")) }, { pause: 50 }, "end"])
      assert.strictEqual((yield* Effect.flip(model.generate(hello)))._tag, "ModelFailed")
    }))

  it.scopedLive("may follow a 103", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore(["hint", ...json(whole({ content: "Hi" }))])
      assert.strictEqual((yield* model.generate(hello)).text, "Hi")
    }))
})
