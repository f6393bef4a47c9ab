import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { startThread } from "../src/thread/DrawingThread.js"

const request = { chart: { kind: "number", title: "Calls", name: "calls", value: 1 }, format: "svg" } as const

const breaking = (way: string) =>
  startThread({ url: new URL("./threads/broken.mjs", import.meta.url) }, {
    workerData: way,
    resourceLimits: { maxOldGenerationSizeMb: 16 }
  })

describe("a thread that breaks", () => {
  for (
    const [way, kind] of [
      ["throws", "TypeError"],
      ["exits", "ThreadExit 3"],
      ["swallows", "Error ERR_WORKER_OUT_OF_MEMORY"],
      ["babbles", "UnknownAnswer"]
    ] as const
  ) {
    it.effect(`tells the kind of what broke it and nothing else: one that ${way}`, () =>
      Effect.gen(function*() {
        const thread = breaking(way)
        assert.deepInclude(yield* Effect.flip(thread.draw(request)), { _tag: "ThreadBroke", kind })
        assert.isTrue(thread.isBroken())
        yield* thread.end
        assert.deepInclude(yield* Effect.flip(thread.draw(request)), { kind })
      }))
  }

  it.live("is ended while it is at work", () =>
    Effect.gen(function*() {
      const thread = breaking("loops")
      const fiber = yield* Effect.fork(thread.draw(request))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.isFalse(thread.isBroken())
      yield* thread.end
      assert.isTrue(thread.isBroken())
    }))
})
