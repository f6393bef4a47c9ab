import { assert, describe, it } from "@effect/vitest"
import { makeUpstream, type Timeouts } from "@trunkline/http-client"
import { type Step, tcp } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import { Effect, Stream } from "effect"
import { hello, serverBefore, textOf, until } from "./Asking.js"

const slow = (lacking: string) => `The speech server took too long: ${lacking}`

const stalls: Readonly<Record<string, readonly [steps: ReadonlyArray<Step>, Partial<Timeouts>, message: string]>> = {
  "its status": [["hang"], { firstByte: 40 }, slow("its answer did not begin within 40ms")],
  "its first byte": [[{ status: 200 }, "hang"], { firstByte: 40 }, slow("its answer did not begin within 40ms")],
  "its next byte": [[{ write: "one" }, "hang"], { betweenBytes: 40 }, slow("its answer did not go on within 40ms")],
  "its end": [[{ write: "one" }, "hang"], { total: 60 }, slow("its answer was not whole within 60ms")]
}

describe("a slow server", () => {
  for (const [name, [steps, timeouts, message]] of Object.entries(stalls)) {
    it.scoped(`for ${name} times out, and the request is not retried`, () =>
      Effect.gen(function*() {
        const { post, server } = yield* serverBefore(steps, { timeouts })
        const failure = yield* Effect.flip(Effect.flatMap(post(hello), textOf))
        assert.deepStrictEqual([failure._tag, failure.message], ["ModelTimedOut", message])
        yield* Effect.promise(async () => server.requests[0]?.closed)
        // None on a machine so busy that the time was over before the server had the request.
        assert.isAtMost(server.requests.length, 1)
      }))
  }

  it.scoped("fails at the connection timeout, and the connection is aborted", () =>
    Effect.gen(function*() {
      let closed = 0
      // Takes connections, and never says a word of TLS.
      const port = yield* tcp((socket) => void socket.on("close", () => closed++).resume())
      const { post } = yield* makeUpstream("speech server", {
        baseUrl: `https://127.0.0.1:${port}`,
        timeouts: { connect: 40 }
      })
      const failure = yield* Effect.flip(post(hello))
      assert.strictEqual(failure.message, slow("it was not connected within 40ms"))
      yield* until(() => closed === 1)
    }))

  it.scoped("does not time out because of a slow reader", () =>
    Effect.gen(function*() {
      const piece = { write: new Uint8Array(256 * 1024) }
      const { post } = yield* serverBefore([piece, piece, piece, "end"], { timeouts: { betweenBytes: 40 } })
      const { bytes } = yield* post(hello)
      let isFirst = true
      const length = yield* Stream.runFoldEffect(bytes, 0, (length, { length: more }) =>
        Effect.gen(function*() {
          const start = performance.now()
          if (isFirst) yield* until(() => performance.now() > start + 120)
          isFirst = false
          return length + more
        }))
      assert.strictEqual(length, 3 * 256 * 1024)
    }))

  it.scoped("times out once the reader has caught up", () =>
    Effect.gen(function*() {
      const most = 64 * 1024
      const { post, server } = yield* serverBefore([{ write: new Uint8Array(most) }, "hang"], {
        timeouts: { betweenBytes: 40 }
      })
      const answer = yield* post(hello)
      yield* until(() => (server.requests[0]?.sent() ?? 0) > most)
      // All of it is here before any of it is read, which is where reading stops.
      yield* Effect.repeatN(macroTask, 50)
      assert.strictEqual((yield* Effect.flip(textOf(answer))).message, slow("its answer did not go on within 40ms"))
    }))
})
