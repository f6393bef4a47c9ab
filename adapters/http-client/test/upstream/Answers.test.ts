import { assert, describe, it } from "@effect/vitest"
import { makeUpstream } from "@trunkline/http-client"
import { tcp } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import { Chunk, Effect, Stream } from "effect"
import { bodySteps, hello, serverBefore, textOf } from "./Asking.js"

describe("a response", () => {
  it.scoped("is available with its first bytes, and streams the rest", () =>
    Effect.gen(function*() {
      let goOn = () => {}
      const first = new Promise<void>((done) => {
        goOn = done
      })
      const { post } = yield* serverBefore(["hint", { write: "one" }, { until: first }, { write: "two" }, "end"])
      const { bytes } = yield* post(hello)
      const pieces: Array<string> = []
      yield* Stream.runForEach(bytes, (piece) =>
        Effect.sync(() => {
          pieces.push(Buffer.from(piece).toString())
          goOn()
        }))
      assert.deepStrictEqual(pieces, ["one", "two"])
    }))

  it.scoped("comes after interim responses that nobody asked for, on a connection that is kept", () =>
    Effect.gen(function*() {
      const interim = ["continue", "hint", "continue", "continue", "hint"] as const
      const { post, server } = yield* serverBefore([...interim, ...bodySteps("one")])
      for (let index = 0; index < 3; index++) {
        assert.strictEqual(yield* Effect.flatMap(post(hello), textOf), "one")
      }
      assert.strictEqual(server.connections(), 1)
    }))

  it.scoped("fails when interim responses never end", () =>
    Effect.gen(function*() {
      const port = yield* tcp((socket) => {
        const send = () => socket.destroyed || socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(50), send)
        socket.once("data", send)
      })
      const { post } = yield* makeUpstream("speech server", { baseUrl: `http://127.0.0.1:${port}` })
      assert.strictEqual((yield* Effect.flip(post(hello)))._tag, "ModelFailed")
    }), 20_000)

  it.scoped("may be empty", () =>
    Effect.gen(function*() {
      for (const steps of [bodySteps(""), [{ status: 204 }, "end"] as const]) {
        const { post } = yield* serverBefore(steps)
        assert.strictEqual(yield* Effect.flatMap(post(hello), textOf), "")
      }
    }))

  it.scoped("applies backpressure to the server for a slow reader", () =>
    Effect.gen(function*() {
      const piece = new Uint8Array(64 * 1024)
      const much = 512
      const { post, server } = yield* serverBefore([...Array.from({ length: much }, () => ({ write: piece })), "end"])
      const answer = yield* post(hello)
      const [request] = server.requests
      let previousCount = -1
      // It has settled when nothing more is sent in a while of turns.
      for (let still = 0; still < 200;) {
        yield* macroTask
        const now = request?.sent() ?? 0
        still = now === previousCount ? still + 1 : 0
        previousCount = now
      }
      assert.isBelow(previousCount, much * piece.length / 2, "most of it has not been sent")
      const length = yield* Stream.runFold(answer.bytes, 0, (length, { length: more }) => length + more)
      assert.strictEqual(length, much * piece.length)
    }))

  it.scoped("is read whole up to a limit, and not beyond it", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore(bodySteps("x".repeat(1_000)))
      assert.lengthOf(yield* Effect.flatMap(post(hello), ({ whole }) => whole(1_000)), 1_000)
      const failure = yield* Effect.flip(Effect.scoped(Effect.flatMap(post(hello), ({ whole }) => whole(999))))
      assert.strictEqual(failure.message, "The speech server's answer is too large")
      server.answer([...Array.from({ length: 10 }, () => ({ write: "x".repeat(100) })), "hang"])
      const endless = yield* Effect.flip(Effect.scoped(Effect.flatMap(post(hello), ({ whole }) => whole(999))))
      assert.strictEqual(endless._tag, "ModelFailed")
      yield* Effect.promise(async () => server.requests.at(-1)?.closed)
    }))

  it.scoped("keeps the order of its bytes, for any split into chunks", () =>
    Effect.gen(function*() {
      const text = Array.from({ length: 5_000 }, (_, at) => at).join(",")
      const { post } = yield* serverBefore([
        ...Array.from({ length: Math.ceil(text.length / 7) }, (_, at) => ({ write: text.slice(at * 7, at * 7 + 7) })),
        "end"
      ])
      const { bytes } = yield* post(hello)
      const pieces = Chunk.toReadonlyArray(yield* Stream.runCollect(bytes))
      assert.strictEqual(Buffer.concat(pieces).toString(), text)
    }))
})
