import { assert, describe, it } from "@effect/vitest"
import { startRequestThread, type WorkerCrashed } from "@trunkline/workers"
import { Effect, Fiber, Schema } from "effect"

interface Request {
  readonly way: string
  readonly bytes?: Uint8Array
}

const Reply = Schema.Struct({ value: Schema.Number })

/** A thread that is ended with the scope. */
const thread = (options: { readonly workerData?: string; readonly graceMillis?: number } = {}) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      startRequestThread<Request, typeof Reply.Type>(new URL("./misbehaving.mjs", import.meta.url), {
        name: "test",
        decode: Schema.decodeUnknownEither(Reply),
        resourceLimits: { maxOldGenerationSizeMb: 16 },
        workerData: options.workerData,
        ...(options.graceMillis === undefined
          ? {}
          : { shutdown: { message: { way: "ends" }, graceMillis: options.graceMillis } })
      })
    ),
    ({ end }) => end
  )

/** Kind of the crash that a request ends with. */
const crashOf = (request: Effect.Effect<unknown, WorkerCrashed>) => Effect.map(Effect.flip(request), ({ kind }) => kind)

describe("a thread", () => {
  it.scopedLive("replies to one request after the other, and takes over memory", () =>
    Effect.gen(function*() {
      const { ready, request, requestMany } = yield* thread()
      yield* ready
      const bytes = new Uint8Array(7)
      assert.deepStrictEqual(yield* request({ way: "echoes", bytes }, [bytes.buffer]), { value: 7 })
      assert.strictEqual(bytes.length, 0)
      const values = yield* requestMany({ way: "counts" }, (next) => Effect.all([next, next, next]))
      assert.deepStrictEqual(values, [{ value: 1 }, { value: 2 }, { value: 3 }])
    }))

  for (
    const [way, kind] of [
      ["throws", "TypeError"],
      ["exits", "ThreadExit 3"],
      ["swallows", "Error ERR_WORKER_OUT_OF_MEMORY"],
      ["babbles", "ParseError"]
    ] as const
  ) {
    it.scopedLive(`that crashes fails its requests with the kind of error and no data: one that ${way}`, () =>
      Effect.gen(function*() {
        const { end, isBroken, request } = yield* thread()
        const crash = yield* Effect.flip(request({ way }))
        assert.strictEqual(crash.kind, kind)
        assert.notInclude(`${crash.message}${crash.description}`, "9876543210")
        assert.isTrue(isBroken())
        yield* end
        assert.strictEqual(yield* crashOf(request({ way: "counts" })), kind)
      }))
  }

  it.scopedLive("that crashes while it loads never becomes ready", () =>
    Effect.gen(function*() {
      const { isBroken, ready } = yield* thread({ workerData: "dies" })
      assert.strictEqual(yield* crashOf(ready), "RangeError")
      assert.isTrue(isBroken())
    }))

  it.scopedLive("stays at work when a request is interrupted, until it is ended", () =>
    Effect.gen(function*() {
      const { end, isBroken, request } = yield* thread()
      const fiber = yield* Effect.fork(request({ way: "loops" }))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.isFalse(isBroken())
      yield* end
      assert.isTrue(isBroken())
    }))

  it.scopedLive("is asked to end by itself before it is terminated", () =>
    Effect.gen(function*() {
      const { end, ready, request } = yield* thread({ graceMillis: 600_000 })
      yield* ready
      yield* end
      assert.strictEqual(yield* crashOf(request({ way: "counts" })), "ThreadExit 0")
    }))

  it.scopedLive("is terminated when it does not end by itself in time", () =>
    Effect.gen(function*() {
      const { end, isBroken, request } = yield* thread({ graceMillis: 20 })
      const fiber = yield* Effect.fork(request({ way: "loops" }))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      yield* end
      assert.isTrue(isBroken())
    }))
})
