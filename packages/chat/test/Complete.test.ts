import { assert, describe, it } from "@effect/vitest"
import { Chat, ChatCompletion } from "@trunkline/chat"
import { ModelUnavailable } from "@trunkline/errors"
import { type AnswerRequest, type Completion, emptyCompletion, type Usage } from "@trunkline/models"
import { Effect, Schema, Stream, TestClock } from "effect"
import { chatWith, minimalBody, requestId, ticket, usage } from "./Doubles.js"

const completion = (parts: Partial<Completion>): Completion => ({ ...emptyCompletion, finish: "stop", ...parts })

const complete = (
  choices: ReadonlyArray<Completion>,
  options: { readonly used?: Usage; readonly body?: object; readonly onRequest?: (asking: AnswerRequest) => void } = {}
) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(1_767_225_600_999)
    const chat = yield* Chat
    const answer = yield* chat.complete(yield* chat.read("v1", { ...minimalBody(), ...options.body }), ticket)
    return yield* Schema.validate(ChatCompletion, { onExcessProperty: "error" })(answer)
  }).pipe(Effect.provide(chatWith({
    answered: Effect.succeed({ choices, usage: options.used ?? usage }),
    ...(options.onRequest && { onRequest: options.onRequest })
  })))

const messageOf = (parts: Partial<Completion>) =>
  Effect.map(complete([completion(parts)]), ({ choices }) => choices[0]?.message)

describe("Chat.complete", () => {
  it.effect("returns every field of a chat completion", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* complete([completion({ text: "Hi" })]), {
        id: requestId,
        object: "chat.completion",
        created: 1_767_225_600,
        model: "core-105b",
        choices: [{
          index: 0,
          message: { role: "assistant", content: "Hi", refusal: null },
          logprobs: null,
          finish_reason: "stop"
        }],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 15,
          completion_tokens_details: { reasoning_tokens: 2 },
          prompt_tokens_details: null
        },
        service_tier: null,
        system_fingerprint: null
      })
    }))

  it.effect("returns reasoning and function calls", () =>
    Effect.gen(function*() {
      const toolRequests = [{ id: "call_1", name: "find", arguments: "{}" }]
      assert.deepStrictEqual(yield* messageOf({ reasoning: "Hm.", toolRequests, finish: "tool_calls" }), {
        role: "assistant",
        content: null,
        refusal: null,
        reasoning_content: "Hm.",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "find", arguments: "{}" } }]
      })
    }))

  it.effect("returns null content only beside function calls or a refusal", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* messageOf({}), { content: "", refusal: null })
      assert.deepInclude(yield* messageOf({ refusal: "No." }), { content: null, refusal: "No." })
      const toolRequests = [{ id: "call_1", name: "find", arguments: "{}" }]
      assert.deepInclude(yield* messageOf({ text: "Let me look.", toolRequests }), { content: "Let me look." })
    }))

  it.effect("returns log probabilities, with bytes for tokens that are whole characters", () =>
    Effect.gen(function*() {
      const logprobs = [
        { token: "न", logprob: -0.1, top: [{ token: "न", logprob: -0.1 }, { token: "\ufffd", logprob: -3 }] }
      ]
      const { choices } = yield* complete([completion({ text: "न", logprobs })], { body: { logprobs: true } })
      assert.deepStrictEqual(choices[0]?.logprobs, {
        content: [{
          token: "न",
          logprob: -0.1,
          bytes: [224, 164, 168],
          top_logprobs: [
            { token: "न", logprob: -0.1, bytes: [224, 164, 168] },
            { token: "\ufffd", logprob: -3, bytes: null }
          ]
        }],
        refusal: null
      })
    }))

  it.effect("reports cached input tokens", () =>
    Effect.gen(function*() {
      const answer = yield* complete([completion({})], { used: { ...usage, cachedTokens: 8 } })
      assert.deepStrictEqual(answer.usage.prompt_tokens_details, { cached_tokens: 8 })
    }))

  it.effect("returns several choices in order", () =>
    Effect.gen(function*() {
      const { choices } = yield* complete(["a", "b", "c"].map((text) => completion({ text })), { body: { n: 3 } })
      assert.deepStrictEqual(choices.map(({ index, message }) => [index, message.content]), [[0, "a"], [1, "b"], [
        2,
        "c"
      ]])
    }))

  it.effect("replaces lone surrogates", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* messageOf({ text: "👍\ud83d", reasoning: "\udc4d" }), {
        content: "👍\ufffd",
        reasoning_content: "\ufffd"
      })
    }))

  it.effect("passes the meter of the ticket on", () =>
    Effect.gen(function*() {
      const calls: Array<AnswerRequest> = []
      yield* complete([completion({})], { onRequest: (asking) => calls.push(asking) })
      assert.deepStrictEqual(calls.map(({ meter }) => meter === ticket.meter), [true])
    }))

  it.effect("passes the tenant on as the origin, if there is one", () =>
    Effect.gen(function*() {
      const calls: Array<AnswerRequest> = []
      const onRequest = (asking: AnswerRequest) => void calls.push(asking)
      const named = Effect.gen(function*() {
        const chat = yield* Chat
        for (const caller of [ticket, { ...ticket, tenant: "acme" }]) {
          const body = yield* chat.read("v1", minimalBody())
          yield* Effect.exit(chat.complete(body, caller))
          yield* Effect.exit(Stream.runDrain(chat.stream(body, caller)))
        }
      })
      yield* Effect.provide(named, chatWith({ onRequest }))
      const origin = { tenant: "acme", request: requestId }
      assert.deepStrictEqual(calls.map(({ request }) => request.origin), [undefined, undefined, origin, origin])
    }))

  it.effect("fails with the failure of the model", () =>
    Effect.gen(function*() {
      const failure = new ModelUnavailable({ message: "Try later" })
      const failed = Effect.gen(function*() {
        const chat = yield* Chat
        return yield* chat.complete(yield* chat.read("v1", minimalBody()), ticket)
      })
      assert.strictEqual(yield* Effect.flip(Effect.provide(failed, chatWith({ answered: failure }))), failure)
    }))
})
