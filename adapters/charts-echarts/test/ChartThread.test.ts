import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { startChartThread } from "../src/ChartThread.js"

const request = { chart: { kind: "number", title: "Calls", name: "calls", value: 1 }, format: "svg", size: {} } as const

const startBroken = (way: string) =>
  startChartThread(new URL("./threads/broken.mjs", import.meta.url), {
    workerData: way,
    resourceLimits: { maxOldGenerationSizeMb: 16 }
  })

describe("a thread that crashes", () => {
  for (
    const [way, kind] of [
      ["throws", "TypeError"],
      ["exits", "ThreadExit 3"],
      ["swallows", "Error ERR_WORKER_OUT_OF_MEMORY"],
      ["babbles", "ParseError"]
    ] as const
  ) {
    it.effect(`reports the kind of error and none of the data: one that ${way}`, () =>
      Effect.gen(function*() {
        const thread = startBroken(way)
        assert.deepInclude(yield* Effect.flip(thread.request(request)), { _tag: "WorkerCrashed", kind })
        assert.isTrue(thread.isBroken())
        yield* thread.end
        assert.deepInclude(yield* Effect.flip(thread.request(request)), { kind })
      }))
  }

  it.live("can be ended in the middle of its work", () =>
    Effect.gen(function*() {
      const thread = startBroken("loops")
      const fiber = yield* Effect.fork(thread.request(request))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.isFalse(thread.isBroken())
      yield* thread.end
      assert.isTrue(thread.isBroken())
    }))
})
