import { assert, describe, it } from "@effect/vitest"
import { startProcess } from "@trunkline/workers"
import { Effect, Queue } from "effect"

const entry = new URL("./echo.mjs", import.meta.url)

const start = Effect.gen(function*() {
  const messages = yield* Queue.unbounded<unknown>()
  const process = yield* Effect.acquireRelease(
    Effect.sync(() =>
      startProcess(entry, {
        env: { TRUNKLINE_TEST: "yes" },
        settings: { size: 2 },
        onMessage: (message) => void messages.unsafeOffer(message)
      })
    ),
    ({ exited, kill }) =>
      Effect.promise(() => {
        kill()
        return exited
      })
  )
  return { process, next: Queue.take(messages) }
})

describe("a child process", () => {
  it.scopedLive("gets its settings, structured messages and no environment but its own", () =>
    Effect.gen(function*() {
      const { next, process } = yield* start
      process.send({ bytes: new Uint8Array([1, 2]) })
      const reply = yield* next
      assert.deepInclude(reply, { settings: JSON.stringify({ size: 2 }), message: { bytes: new Uint8Array([1, 2]) } })
      assert.notProperty(reply, "PATH")
      const names = JSON.stringify(reply)
      assert.include(names, "TRUNKLINE_TEST")
      assert.notInclude(names, "\"HOME\"")
    }))

  it.scopedLive("exits by itself when the channel is closed", () =>
    Effect.gen(function*() {
      const { next, process } = yield* start
      process.send(1)
      assert.deepInclude(yield* next, { message: 1 })
      process.disconnect()
      assert.deepStrictEqual(yield* Effect.promise(() => process.exited), { code: 7, signal: null })
      process.send("lost")
    }))

  it.scopedLive("is killed in the middle of an endless loop", () =>
    Effect.gen(function*() {
      const { next, process } = yield* start
      process.send(1)
      yield* next
      process.send("loop")
      process.kill()
      assert.deepStrictEqual(yield* Effect.promise(() => process.exited), { code: null, signal: "SIGKILL" })
    }))
})
