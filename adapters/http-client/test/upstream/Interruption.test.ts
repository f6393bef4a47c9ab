import { assert, describe, it } from "@effect/vitest"
import { makeUpstream, type Upstream } from "@trunkline/http-client"
import { type Step, tcp } from "@trunkline/http-client/testing"
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { bodySteps, hello, serverBefore, textOf, until } from "./Asking.js"

const read = ({ post }: Upstream) => Effect.scoped(Effect.flatMap(post(hello), textOf))

const windows: Readonly<Record<string, ReadonlyArray<Step>>> = {
  "waiting for its status": ["hang"],
  "waiting for its first byte": [{ status: 200 }, "hang"],
  "in the middle of it": [{ write: "one" }, "hang"],
  "held back by a slow reader": [...Array.from({ length: 64 }, () => ({ write: new Uint8Array(64 * 1024) })), "hang"]
}

describe("an interrupted request", () => {
  for (const [name, steps] of Object.entries(windows)) {
    it.scoped(`closes its connection, ${name}, and no other one`, () =>
      Effect.gen(function*() {
        const { server, ...upstream } = yield* serverBefore(steps)
        const slowly = Effect.flatMap(upstream.post(hello), ({ bytes }) => Stream.runForEach(bytes, () => Effect.never))
        const reading = yield* Effect.fork(name.startsWith("held") ? Effect.scoped(slowly) : read(upstream))
        yield* until(() => server.requests.length === 1)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(reading)))
        yield* Effect.promise(async () => server.requests[0]?.closed)
        server.answer(bodySteps("hi"))
        assert.strictEqual(yield* read(upstream), "hi")
      }))
  }

  it.scoped("closes its connection with its scope if the response is unread", () =>
    Effect.gen(function*() {
      const { post, server } = yield* serverBefore([{ write: "one" }, "hang"])
      yield* Effect.scoped(post(hello))
      yield* Effect.promise(async () => server.requests[0]?.closed)
    }))

  it.scoped("keeps a connection whose response has arrived whole", () =>
    Effect.gen(function*() {
      const { server, ...upstream } = yield* serverBefore(bodySteps("hi"))
      yield* Effect.scoped(upstream.post(hello))
      yield* Effect.scoped(Effect.flatMap(upstream.post(hello), ({ bytes }) => Stream.runDrain(Stream.take(bytes, 1))))
      yield* read(upstream)
      assert.isAtMost(server.connections(), 3)
      const before = server.connections()
      yield* read(upstream)
      assert.strictEqual(server.connections(), before)
    }))

  it.scoped("aborts a connection that is being opened", () =>
    Effect.gen(function*() {
      let opened = 0
      let closed = 0
      const port = yield* tcp((socket) => {
        opened++
        socket.on("close", () => closed++).resume()
      })
      const upstream = yield* makeUpstream("speech server", { baseUrl: `https://127.0.0.1:${port}` })
      const reading = yield* Effect.fork(read(upstream))
      yield* until(() => opened === 1)
      yield* Fiber.interrupt(reading)
      yield* until(() => closed === 1)
    }))
})

describe("the end of an upstream", () => {
  it.scoped("closes its connections, also those in use", () =>
    Effect.gen(function*() {
      const { server } = yield* serverBefore(["hang"])
      const scope = yield* Scope.make()
      const upstream = yield* Scope.extend(makeUpstream("speech server", { baseUrl: server.origin }), scope)
      const failing = yield* Effect.fork(Effect.flip(read(upstream)))
      yield* until(() => server.requests.length === 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(failing))._tag, "ModelUnavailable")
      yield* until(() => server.open() === 0)
      assert.strictEqual(
        (yield* Effect.flip(read(upstream))).message,
        "The speech server cannot be reached: we are closing down"
      )
    }))
})
