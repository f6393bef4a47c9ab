import { assert, describe, it } from "@effect/vitest"
import { fromLinear16 } from "@trunkline/audio"
import { meterReading } from "@trunkline/kernel/testing"
import { deepgramResults, deepgramServer, type Peer } from "@trunkline/transcriber-websocket/testing"
import { Effect, Fiber, TestClock } from "effect"
import { logged, opened, until } from "./Opened.js"
import { say } from "./Say.js"

const second = new Float32Array(8_000)

const samplesIn = (peer: Peer | undefined): number =>
  (peer?.messages ?? []).reduce(
    (sum, message) => sum + (typeof message === "string" ? 0 : fromLinear16(message).length),
    0
  )

/** A server that only listens. */
const silent = () => () => {}

describe("a connection that breaks", () => {
  it.scoped("is replaced, and the sound of the turn is sent again", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened(deepgramServer())
      push((yield* say("Good morning.", 8_000)).samples)
      yield* until(() => samplesIn(server.peers[0]) > 6_000)
      server.peers[0]?.cut()
      yield* until(() => server.peers.length === 2)
      assert.strictEqual(yield* flush, "Good morning.")
    }))

  it.scoped("receives two seconds at most, and only what has no final words", () =>
    Effect.gen(function*() {
      for (const [final, expected] of [[0.01, 16_000], [4, 8_000]] as const) {
        const { flush, push, server } = yield* opened(silent)
        for (let at = 0; at < 5; at++) push(second)
        yield* until(() => samplesIn(server.peers[0]) === 40_000)
        server.peers[0]?.send(deepgramResults("four", { start: 0, duration: final, is_final: true }))
        server.speak(deepgramServer())
        server.peers[0]?.close(1011, "NET-0001")
        yield* until(() => server.peers.length === 2)
        assert.strictEqual(yield* flush, "four")
        assert.strictEqual(samplesIn(server.peers[1]), expected)
      }
    }))

  it.scoped("is asked again for the words that are awaited", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened(silent)
      push((yield* say("Yes.", 8_000)).samples)
      const words = yield* Effect.fork(flush)
      yield* until(() => server.peers[0]?.messages.at(-1) === `{"type":"Finalize"}`)
      push(second)
      server.speak(deepgramServer())
      server.peers[0]?.cut()
      assert.strictEqual(yield* Fiber.join(words), "Yes.")
    }))

  it.scoped("fails the flush when it breaks again", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened((peer) => (message) => {
        if (typeof message === "string") peer.cut()
      })
      push(second)
      assert.strictEqual((yield* Effect.flip(flush))._tag, "ModelUnavailable")
      assert.strictEqual((yield* Effect.flip(flush))._tag, "ModelUnavailable")
      push(second)
      assert.strictEqual(server.handshakes(), 2)
    }))

  it.scoped("fails with the reason that the server gives for refusing another", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened(silent)
      push(second)
      server.refuse({ status: 401 })
      const words = yield* Effect.fork(Effect.flip(flush))
      yield* until(() => samplesIn(server.peers[0]) === 8_000)
      server.peers[0]?.cut()
      assert.deepInclude(yield* Fiber.join(words), { _tag: "ModelUnavailable", lasting: true })
    }))

  it.scoped("is not replaced when the server refuses the sound", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened((peer) => () => peer.close(1008, "DATA-0000"))
      push(second)
      assert.strictEqual((yield* Effect.flip(flush))._tag, "ModelFailed")
      assert.strictEqual(server.handshakes(), 1)
    }))

  it.scoped("ends by a message of more than a megabyte", () =>
    Effect.gen(function*() {
      const { server } = yield* opened(silent)
      server.peers[0]?.send(" ".repeat(1024 * 1024 + 1))
      yield* until(() => server.peers.length === 2)
    }))
})

describe("a server that misbehaves", () => {
  it.scoped("gets the words so far out of a flush that is late, and a failure when there are none", () =>
    Effect.gen(function*() {
      const { flush, push, server } = yield* opened(silent)
      const late = <A, E>(effect: Effect.Effect<A, E>, count: number) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.fork(effect)
          yield* until(() =>
            server.peers[0]?.messages.filter((message) => message.includes("Finalize")).length === count
          )
          yield* TestClock.adjust("3 seconds")
          return yield* Fiber.join(fiber)
        })
      push(second)
      assert.strictEqual((yield* late(Effect.flip(flush), 1))._tag, "ModelTimedOut")
      push(second)
      server.peers[0]?.send(deepgramResults("yes, pl", { start: 1, duration: 1 }))
      yield* Effect.repeatN(until(() => true), 20)
      assert.strictEqual(yield* late(flush, 2), "yes, pl")
    }))

  it.scoped("sends garbage, which is ignored and counted", () =>
    Effect.gen(function*() {
      const garbage = ["", "{", "[]", "null", `{"type":"New"}`, `{"type":"Results"}`, `{"type":"Results","channel":7}`]
      const ignored = () => meterReading("trunkline_listener_ignored_messages_total")
      const before = ignored()
      const { lines } = yield* logged(Effect.scoped(Effect.gen(function*() {
        const { flush, push, server } = yield* opened(deepgramServer())
        garbage.forEach((message) => server.peers[0]?.send(message))
        push((yield* say("Yes.", 8_000)).samples)
        assert.strictEqual(yield* flush, "Yes.")
      })))
      assert.lengthOf(lines.filter((line) => line.includes(`${garbage.length} messages`)), 1)
      assert.isAtLeast(ignored() - before, garbage.length)
    }))

  it.scoped("does not drain its socket: sound is dropped, and its length logged once", () =>
    Effect.gen(function*() {
      const { lines } = yield* logged(Effect.scoped(Effect.gen(function*() {
        const { push, server } = yield* opened((peer) => () => peer.stall(), { maxUnsent: "100 millis" })
        for (let at = 0; at < 2_000; at++) push(second)
        server.peers[0]?.cut()
      })))
      assert.lengthOf(lines.filter((line) => line.includes("ms of sound were not sent")), 1)
    }))

  it.scoped("is kept awake while there is no sound", () =>
    Effect.gen(function*() {
      const { server } = yield* opened(silent)
      yield* TestClock.adjust("3 seconds")
      yield* until(() => server.peers[0]?.messages.at(-1) === `{"type":"KeepAlive"}`)
    }))

  it.scoped("does not lose later turns to a server that claims to have heard more than it was sent", () =>
    Effect.gen(function*() {
      const answered = ["one", "two"]
      const { flush, push } = yield* opened((peer) => (message) => {
        if (typeof message !== "string") return
        const words = answered.shift() ?? ""
        peer.send(deepgramResults(words, { start: 0, duration: 1_000, is_final: true }))
      })
      push(second)
      assert.strictEqual(yield* flush, "one")
      push(second)
      assert.strictEqual(yield* flush, "two")
    }))
})
