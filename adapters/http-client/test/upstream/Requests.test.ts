import { assert, describe, it } from "@effect/vitest"
import { makeUpstream } from "@trunkline/http-client"
import { formOf, jsonOf } from "@trunkline/http-client/testing"
import { CurrentRequestId } from "@trunkline/kernel"
import { Cause, Effect, Exit, Redacted } from "effect"
import { bodySteps, hello, serverBefore, textOf } from "./Asking.js"

describe("a request", () => {
  it.scoped("is sent to its path below the base URL, as JSON, with the key and the configured headers", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore(bodySteps("hi"), {
        apiKey: Redacted.make("sk-1"),
        headers: { "X-Tenant": "acme", "User-Agent": "mine" }
      })
      const answer = yield* post({ ...hello, accept: "audio/*" }).pipe(Effect.locally(CurrentRequestId, "req-1"))
      assert.strictEqual(yield* textOf(answer), "hi")
      assert.strictEqual(answer.headers["content-type"], "text/plain")
      const [request] = server.requests
      assert.deepStrictEqual([request?.method, request?.path], ["POST", "/v1/say"])
      assert.deepStrictEqual(request && jsonOf(request), { text: "hello" })
      assert.deepInclude(request?.headers, {
        "authorization": "Bearer sk-1",
        "x-tenant": "acme",
        "user-agent": "mine",
        "accept": "audio/*",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "x-request-id": "req-1"
      })
    }))

  it.scoped("may be a form with files", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore(bodySteps("hi"))
      const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at)
      const form = new FormData()
      form.append("text", "नमस्ते\r\n--x")
      form.append("clip", new Blob([bytes], { type: "audio/wav" }), "a.wav")
      yield* post({ ...hello, body: form })
      const [request] = server.requests
      assert.strictEqual(request?.headers["content-length"], String(request?.body.length), "its length is told")
      const came = yield* Effect.promise(async () => request && formOf(request))
      const clip = came?.get("clip")
      assert.strictEqual(came?.get("text"), "नमस्ते\r\n--x")
      assert.deepStrictEqual(
        clip instanceof File && [clip.name, clip.type, new Uint8Array(yield* Effect.promise(() => clip.arrayBuffer()))],
        ["a.wav", "audio/wav", bytes]
      )
    }))

  it.scoped("accepts a base URL with a trailing slash or a query, or without a path", () =>
    Effect.gen(function*() {
      const { server } = yield* serverBefore(bodySteps("hi"))
      for (const rest of ["/v1/", "/v1?version=2", ""]) {
        const { post } = yield* makeUpstream("speech server", { baseUrl: `${server.origin}${rest}` })
        yield* post(hello)
      }
      assert.deepStrictEqual(server.requests.map(({ path }) => path), ["/v1/say", "/v1/say?version=2", "/say"])
    }))

  it.scoped("reuses connections", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore(bodySteps("hi"))
      for (let time = 0; time < 5; time++) yield* Effect.flatMap(post(hello), textOf)
      assert.isBelow(server.connections(), 5)
    }))
})

describe("an upstream", () => {
  for (const baseUrl of ["", "speech.example", "ftp://speech.example", "http://user:secret@speech.example/v1"]) {
    it.scoped(`dies before '${baseUrl}', and does not repeat it`, () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(makeUpstream("speech server", { baseUrl }))
        assert.isTrue(Exit.isFailure(exit))
        const text = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
        assert.include(text, "The base URL of the speech server should be")
        assert.notInclude(text, "secret")
      }))
  }
})
