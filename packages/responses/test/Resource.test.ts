import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import type { Completion, ModelRequest } from "@trunkline/models"
import { ResponseResource, Responses } from "@trunkline/responses"
import { Effect, Schema, Stream, TestClock } from "effect"
import { bodyWith, readBody, requestId, scripted, ticket, usage } from "./Fixtures.js"
import { answered, message, request } from "./ResourceFixtures.js"

/** The required fields of a response. */
const requiredKeys = [
  "id",
  "object",
  "created_at",
  "completed_at",
  "status",
  "incomplete_details",
  "model",
  "previous_response_id",
  "instructions",
  "output",
  "error",
  "tools",
  "tool_choice",
  "truncation",
  "parallel_tool_calls",
  "text",
  "top_p",
  "presence_penalty",
  "frequency_penalty",
  "top_logprobs",
  "temperature",
  "reasoning",
  "usage",
  "max_output_tokens",
  "max_tool_calls",
  "store",
  "background",
  "service_tier",
  "metadata",
  "safety_identifier",
  "prompt_cache_key"
]

/** The fields that a response has besides those. */
const furtherKeys = ["billing", "conversation", "prompt", "prompt_cache_retention", "user"]

describe("a response", () => {
  it.effect("has exactly the documented fields", () =>
    Effect.gen(function*() {
      const response = yield* answered({})
      assert.sameMembers(Object.keys(response), [...requiredKeys, ...furtherKeys])
      assert.deepStrictEqual(
        Schema.decodeUnknownSync(ResponseResource, { onExcessProperty: "error" })(response),
        response
      )
      assert.deepStrictEqual(JSON.parse(JSON.stringify(response)), response)
    }))

  it.effect("has defaults for everything that its request left out", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_767_225_600_900)
      assert.deepStrictEqual(yield* answered({}), {
        id: requestId,
        object: "response",
        created_at: 1_767_225_600.9,
        completed_at: 1_767_225_600.9,
        status: "completed",
        incomplete_details: null,
        error: null,
        output: [message("Hello there")],
        usage: {
          input_tokens: 7,
          input_tokens_details: { cached_tokens: 2 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 1 },
          total_tokens: 12
        },
        model: "core-105b",
        instructions: null,
        tools: [],
        tool_choice: "auto",
        parallel_tool_calls: true,
        text: { format: { type: "text" } },
        reasoning: { effort: null, summary: null },
        temperature: 0.2,
        top_p: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        top_logprobs: 0,
        max_output_tokens: null,
        truncation: "disabled",
        metadata: {},
        prompt_cache_key: null,
        prompt_cache_retention: null,
        safety_identifier: null,
        user: null,
        store: false,
        background: false,
        previous_response_id: null,
        conversation: null,
        prompt: null,
        max_tool_calls: null,
        service_tier: "auto",
        billing: null
      })
    }))

  it.effect("repeats the fields of its request", () =>
    Effect.gen(function*() {
      const fields = {
        model: "model-d",
        instructions: "Be kind",
        tools: [{ type: "function", name: "look_up", description: "x", parameters: { type: "object" }, strict: true }],
        tool_choice: { type: "function", name: "look_up" },
        parallel_tool_calls: false,
        text: {
          format: { type: "json_schema", name: "a", description: "b", schema: { type: "object" }, strict: true }
        },
        reasoning: { effort: "max", summary: "detailed" },
        temperature: 0.5,
        top_p: 0.25,
        presence_penalty: 1,
        frequency_penalty: -1,
        top_logprobs: 4,
        max_output_tokens: 100,
        truncation: "auto",
        metadata: { a: "1", constructor: "2" },
        prompt_cache_key: "k",
        prompt_cache_retention: "24h",
        safety_identifier: "s",
        user: "u",
        store: false,
        background: false
      }
      const response = yield* answered({}, fields)
      assert.deepStrictEqual<object>({ ...response, ...fields }, response)
    }))

  it.effect("has nulls for fields that tools and reasoning leave out", () =>
    Effect.gen(function*() {
      const tools = [{ type: "function", name: "look_up" }]
      const response = yield* answered({}, { model: "model-g", tools, reasoning: { effort: "low" } })
      assert.deepStrictEqual(response.tools, [{
        type: "function",
        name: "look_up",
        description: null,
        parameters: null,
        strict: null
      }])
      assert.deepStrictEqual(response.reasoning, { effort: "low", summary: null })
      assert.deepStrictEqual([response.temperature, response.top_p], [1, 0.95])
    }))

  it.effect("passes the tenant on as the origin, if there is one", () => {
    const requests: Array<ModelRequest> = []
    return Effect.gen(function*() {
      const responses = yield* Responses
      const body = yield* readBody(bodyWith())
      for (const caller of [ticket, { ...ticket, tenant: "acme" }]) {
        yield* responses.create(body, caller)
        yield* Effect.exit(Stream.runDrain(responses.stream(body, caller)))
      }
      const origin = { tenant: "acme", request: requestId }
      assert.deepStrictEqual(requests.map((request) => request.origin), [undefined, undefined, origin, origin])
    }).pipe(Effect.provide(scripted({ onRequest: (request) => void requests.push(request) })))
  })

  it.effect("ignores service_tier and n", () =>
    Effect.gen(function*() {
      const response = yield* answered({}, { service_tier: "flex", n: 3 })
      assert.strictEqual(response.service_tier, "auto")
      assert.lengthOf(response.output, 1)
    }))

  it.effect("has its creation and completion times to the millisecond", () =>
    Effect.gen(function*() {
      const responses = yield* Responses
      yield* TestClock.setTime(1_767_225_600_250)
      const request = yield* readBody(bodyWith())
      yield* TestClock.setTime(1_767_225_602_999)
      const { completed_at, created_at } = yield* responses.create(request, ticket)
      assert.deepStrictEqual([created_at, completed_at], [1_767_225_600.25, 1_767_225_602.999])
    }).pipe(Effect.provide(scripted())))

  const failure = new ModelFailed({ message: "It made no sense" })

  it.effect("fails with the failure of the model", () =>
    Effect.gen(function*() {
      const responses = yield* Responses
      const failed = yield* Effect.flip(responses.create(yield* readBody(bodyWith()), ticket))
      assert.deepStrictEqual([failed._tag, failed.message], ["ModelFailed", failure.message])
    }).pipe(Effect.provide(scripted({ whole: Effect.fail(failure) }))))
})

describe("the status of a response", () => {
  const limit = (max_output_tokens: number | null) => ({ max_output_tokens })
  const used = (outputTokens: number) => ({ ...usage, outputTokens })

  const rows: ReadonlyArray<
    readonly [about: string, answer: Partial<Completion>, more: object, tokens: number, status: string, reason?: string]
  > = [
    ["is completed", {}, {}, 5, "completed"],
    ["is completed with calls", { toolRequests: [request], finish: "tool_calls" }, {}, 5, "completed"],
    [
      "is incomplete when the model reached its length limit",
      { finish: "length" },
      {},
      5,
      "incomplete",
      "max_output_tokens"
    ],
    ["is incomplete when content was filtered", { finish: "content_filter" }, {}, 5, "incomplete", "content_filter"],
    ["is completed below max_output_tokens", {}, limit(6), 5, "completed"],
    ["is incomplete at max_output_tokens", {}, limit(5), 5, "incomplete", "max_output_tokens"],
    ["is incomplete above max_output_tokens", {}, limit(4), 5, "incomplete", "max_output_tokens"],
    ["is completed after any number of tokens without a limit", {}, limit(null), 100_000, "completed"],
    ["keeps the reason content_filter", { finish: "content_filter" }, limit(4), 5, "incomplete", "content_filter"]
  ]

  for (const [about, answer, more, tokens, status, reason] of rows) {
    it.effect(about, () =>
      Effect.gen(function*() {
        const response = yield* answered(answer, more, used(tokens))
        assert.deepStrictEqual(
          [response.status, response.incomplete_details?.reason, response.completed_at],
          [status, reason, status === "completed" ? 0 : null]
        )
        assert.isNull(response.error)
        assert.strictEqual(response.usage?.output_tokens, tokens)
      }))
  }
})
