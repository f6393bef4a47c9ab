import { assert, describe, it } from "@effect/vitest"
import { CohortId, describeCause } from "@trunkline/kernel"
import { Cause, Effect, Exit, Fiber } from "effect"
import { importIn, startImportThread } from "../../src/imports/ImportThread.js"
import { scope } from "./Harness.js"

const task = { scope, cohort_id: CohortId.make("coh-1") }

const crashing = (way: string) =>
  startImportThread(new URL("./threads/broken.mjs", import.meta.url), {
    workerData: way,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
    graceMillis: 50
  })

describe("a thread that crashes", () => {
  for (
    const [way, name] of [
      ["throws", "TypeError"],
      ["exits", "ThreadExit 3"],
      ["swallows", "Error ERR_WORKER_OUT_OF_MEMORY"],
      ["babbles", "ParseError"]
    ] as const
  ) {
    it.effect(`is a defect of its import with the kind alone: one that ${way}`, () =>
      Effect.gen(function*() {
        const thread = crashing(way)
        const exit = yield* Effect.exit(importIn(thread, task))
        if (Exit.isSuccess(exit) || !Cause.isDie(exit.cause)) return assert.fail("expected a defect")
        assert.strictEqual(describeCause(exit.cause).split("\n")[0], name)
        assert.notInclude(Cause.pretty(exit.cause), "9876543210")
        yield* thread.end
        assert.isTrue(thread.isBroken())
        assert.isTrue(Exit.isFailure(yield* Effect.exit(importIn(thread, task))))
      }))
  }

  it.live("is terminated when it does not end by itself", () =>
    Effect.gen(function*() {
      const thread = crashing("loops")
      const fiber = yield* Effect.fork(importIn(thread, task))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.isFalse(thread.isBroken())
      yield* thread.end
      assert.isTrue(thread.isBroken())
    }))
})
