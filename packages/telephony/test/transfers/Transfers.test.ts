import { assert, describe } from "@effect/vitest"
import { ConnectionId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect } from "effect"
import type { Callee } from "../../src/index.js"
import { desk, transferRequest, transferring, warmRequest } from "./TransferFixtures.js"

/** A network on which the desk behaves in some way, and which connects no calls itself. */
const network = (callee: Callee, refers = false) => ({ refers, rules: [{ suffix: desk.slice(-4), callee }] })

describe("a blind transfer", () => {
  virtualTest("is left to a provider that connects calls", () =>
    Effect.gen(function*() {
      const { calls, result } = yield* transferring(transferRequest(), network("answer", true))
      assert.deepStrictEqual(result, { outcome: "transferred", reason: null, by: "provider", answered_at: null })
      assert.lengthOf(calls, 1)
    }))

  virtualTest(
    "goes through a second call where the provider connects none, until one side hangs up",
    () =>
      Effect.gen(function*() {
        const { attempt, calls, result } = yield* transferring(transferRequest(), network("answer"))
        assert.deepInclude(result, { outcome: "transferred", by: "bridge" })
        assert.deepStrictEqual(calls.map(({ to }) => to), [attempt.user_phone_number, desk])
        assert.deepStrictEqual(calls.map(({ stage }) => stage._tag), ["Over", "Over"])
        const { ended_at = 0, started_at = 0 } = attempt.result?.interaction ?? {}
        assert.isAbove(ended_at - started_at, 30_000)
      })
  )

  virtualTest("sends the keys of an extension after the answer, with their pauses", () =>
    Effect.gen(function*() {
      const plain = yield* transferring(transferRequest(), network("answer"))
      const { calls, result, seconds } = yield* transferring(
        transferRequest({ extension: "ww204#" }),
        network("answer", true)
      )
      assert.deepInclude(result, { outcome: "transferred", by: "bridge" })
      assert.strictEqual(calls[1]?.keys, "204#")
      assert.strictEqual(seconds - plain.seconds, 2)
    }))

  for (
    const [callee, outcome] of [
      ["busy", "busy"],
      ["no_answer", "no_answer"],
      ["decline", "declined"],
      ["invalid", "failed"],
      ["provider_error", "failed"]
    ] as const
  ) {
    virtualTest(`to somebody who is ${callee} brings the caller back, by either way`, () =>
      Effect.gen(function*() {
        for (const refers of [true, false]) {
          const { attempt, calls, result, seconds } = yield* transferring(transferRequest(), network(callee, refers))
          assert.deepInclude(result, { outcome, by: null, answered_at: null })
          assert.isAtMost(seconds, 23)
          assert.isTrue(calls.every(({ stage }) => stage._tag === "Over"))
          assert.strictEqual(attempt.result?.connectivity_status, "connected")
        }
      }))
  }

  virtualTest(
    "is cancelled when the caller hangs up while it rings, and the second call ends",
    () =>
      Effect.gen(function*() {
        const { calls, result, seconds } = yield* transferring(
          transferRequest(),
          {
            refers: false,
            rules: [{ suffix: desk.slice(-4), callee: "no_answer" }, { suffix: "77", callee: "hang_up_early" }]
          },
          "9876543277"
        )
        assert.deepInclude(result, { outcome: "cancelled", by: null })
        assert.isAtMost(seconds, 4)
        assert.deepStrictEqual(calls.map(({ stage }) => stage._tag), ["Over", "Over"])
      })
  )

  virtualTest("over a line that does not exist is refused, and the call goes on", () =>
    Effect.gen(function*() {
      const connection_id = (yield* transferring(transferRequest(), network("busy"))).attempt.connection_id
      assert.strictEqual(connection_id, "sim-1")
      const request = { ...transferRequest(), connection_id: ConnectionId.make("nowhere") }
      const { result } = yield* transferring(request, network("answer", true))
      assert.deepInclude(result, { outcome: "failed", reason: "there is no line nowhere" })
    }))
})

describe("a warm transfer", () => {
  virtualTest("tells the person first, who takes the call with a key", () =>
    Effect.gen(function*() {
      const { calls, result, seconds } = yield* transferring(warmRequest, network([{ press: "1" }], true))
      assert.deepInclude(result, { outcome: "transferred", by: "bridge" })
      assert.lengthOf(calls, 2)
      assert.isAbove(seconds, 5)
    }))

  virtualTest("needs no key where none is asked for", () =>
    Effect.gen(function*() {
      const request = { ...warmRequest, acceptKey: null, prompt: null }
      assert.deepInclude((yield* transferring(request, network("answer"))).result, { outcome: "transferred" })
    }))

  for (
    const [name, callee, outcome] of [
      ["an answering machine, which presses nothing", "voicemail", "no_answer"],
      ["somebody who says yes and presses another key", ["Yes, put them through", { press: "2" }], "no_answer"],
      ["somebody who hangs up", [{ hang_up: true }], "declined"]
    ] as const
  ) {
    virtualTest(`is not taken by ${name}`, () =>
      Effect.gen(function*() {
        const { calls, result } = yield* transferring(warmRequest, network(callee))
        assert.deepInclude(result, { outcome, by: null })
        assert.isTrue(calls.every(({ stage }) => stage._tag === "Over"))
      }))
  }
})
