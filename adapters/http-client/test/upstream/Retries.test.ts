import { assert, describe, it } from "@effect/vitest"
import { makeUpstream } from "@trunkline/http-client"
import { listening, type Step, tcp } from "@trunkline/http-client/testing"
import { Effect, Fiber, TestClock } from "effect"
import { createServer } from "node:net"
import { afterPause, bodySteps, hello, inTurn, serverBefore, textOf, untilPause } from "./Asking.js"

const refusal = (status: number, retryAfter?: string): ReadonlyArray<Step> => [
  { status, ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }) },
  "end"
]

describe("a request is retried", () => {
  const passing: Readonly<Record<string, readonly [first: ReadonlyArray<Step>, pause: number]>> = {
    "502": [refusal(502), 250],
    "503": [refusal(503), 250],
    "504": [refusal(504), 250],
    "503 with a wish": [refusal(503, "1"), 1_000],
    "429 with a short wish": [refusal(429, "2"), 2_000],
    "429 with an immediate one": [refusal(429, "0"), 250],
    "a connection that was closed": [["cut"], 250],
    "a connection that was reset": [["reset"], 250],
    "an answer that broke off before its first byte": [[{ status: 200 }, "cut"], 250]
  }
  for (const [name, [first, pause]] of Object.entries(passing)) {
    it.scoped(`after ${name}`, () =>
      Effect.gen(function*() {
        const { post, server } = yield* serverBefore(inTurn(first, bodySteps("hi")))
        const answer = yield* Effect.fork(Effect.flatMap(post(hello), textOf))
        yield* afterPause(pause)
        assert.strictEqual(yield* Fiber.join(answer), "hi")
        assert.lengthOf(server.requests, 2)
      }))
  }

  it.scoped("with the same bytes, also a form", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore(inTurn(refusal(503), bodySteps("hi")))
      const body = new FormData()
      body.append("clip", new Blob([new Uint8Array(1_000)]), "a.wav")
      const answer = yield* Effect.fork(post({ ...hello, body }))
      yield* afterPause(250)
      yield* Fiber.join(answer)
      const [first, second] = server.requests
      assert.deepStrictEqual(first?.body, second?.body)
      assert.deepStrictEqual(first?.headers["content-type"], second?.headers["content-type"])
    }))

  it.scoped("after a refused connection", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(tcp(() => {}))
      const { post } = yield* makeUpstream("speech server", { baseUrl: `http://127.0.0.1:${port}` })
      const answer = yield* Effect.fork(Effect.flatMap(post(hello), textOf))
      yield* untilPause(250)
      const server = createServer((socket) =>
        socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"))
      )
      yield* Effect.zipRight(listening(server, port), TestClock.adjust(250))
      assert.strictEqual(yield* Fiber.join(answer), "hi")
    }))

  it.scoped("once only", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore(inTurn(refusal(503), refusal(502), bodySteps("hi")))
      const failing = yield* Effect.fork(Effect.flip(post(hello)))
      yield* afterPause(250)
      assert.strictEqual((yield* Fiber.join(failing))._tag, "ModelFailed", "the last failure is told")
      assert.lengthOf(server.requests, 2)
    }))
})

describe("a request is not retried", () => {
  const final: Readonly<Record<string, ReadonlyArray<Step>>> = {
    "400": refusal(400),
    "401": refusal(401),
    "500": refusal(500),
    "429 without a wish": refusal(429),
    "429 with a long wish": refusal(429, "3"),
    "503 with a long wish": refusal(503, "60"),
    "an answer that makes no sense": [{ status: 200, headers: { "content-encoding": "br" } }, "end"]
  }
  for (const [name, first] of Object.entries(final)) {
    it.scoped(`after ${name}`, () =>
      Effect.gen(function*() {
        const { post, server } = yield* serverBefore(inTurn(first, bodySteps("hi")))
        yield* Effect.flip(post(hello))
        assert.lengthOf(server.requests, 1)
      }))
  }

  it.scoped("after its first byte", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore(inTurn([{ write: "h" }, "cut"], bodySteps("hi")))
      yield* Effect.flip(Effect.flatMap(post(hello), textOf))
      assert.lengthOf(server.requests, 1)
    }))
})
