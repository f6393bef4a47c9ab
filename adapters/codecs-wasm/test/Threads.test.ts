import { assert, describe, it } from "@effect/vitest"
import { Cause, Chunk, Deferred, type Duration, Effect, Fiber, Logger, TestClock } from "effect"
import { readClip } from "../src/ReadClip.js"
import { type CodecThread, startThread, ThreadBroke } from "../src/thread/CodecThread.js"
import type { Job } from "../src/thread/Messages.js"
import { makeThreads, type ThreadsOptions } from "../src/thread/Threads.js"
import { writeSound } from "../src/WriteSound.js"

const oddThread = (way: string) =>
  startThread({ url: new URL("./threads/odd.mjs", import.meta.url) }, {
    workerData: way,
    resourceLimits: { maxOldGenerationSizeMb: 16 }
  })

const bytes = new Uint8Array([1, 2, 3])

const jobOf = (): Job => ({ _tag: "Read", reading: { format: "mp3", seconds: 15, bytes: bytes.slice() } })

const options = { size: 1, waiting: 2, idleMillis: 60_000 }

const silent = Logger.remove(Logger.defaultLogger)

const readBy = (way: string, budget: Duration.DurationInput) =>
  Effect.gen(function*() {
    const threads = yield* makeThreads({ ...options, start: () => oddThread(way) })
    const clip = { bytes, filename: null, contentType: null }
    return yield* Effect.flip(readClip(threads, clip, { format: "mp3", seconds: 15, budget }))
  }).pipe(Effect.provide(silent))

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
        const thread = oddThread(way)
        yield* thread.ready
        assert.deepInclude(yield* Effect.flip(thread.run(jobOf())), { _tag: "ThreadBroke", kind })
        assert.isTrue(thread.isBroken())
        yield* thread.end
      }))
  }

  it.effect("is told of when it starts", () =>
    Effect.gen(function*() {
      const thread = oddThread("dies")
      assert.deepInclude(yield* Effect.flip(thread.ready), { _tag: "ThreadBroke", kind: "RangeError" })
      assert.deepInclude(yield* Effect.flip(thread.run(jobOf())), { kind: "RangeError" })
    }))

  it.scopedLive("makes its clip unreadable", () =>
    Effect.gen(function*() {
      const refused = yield* readBy("throws", "30 seconds")
      assert.deepInclude(refused, { _tag: "ClipRefused", reason: "unreadable", message: "It is damaged" })
    }))

  it.scopedLive("and does not even start cannot read here", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* readBy("dies", "30 seconds"), { _tag: "CodecsBusy" })
    }))

  it.scopedLive("is a defect of what is written", () =>
    Effect.gen(function*() {
      const threads = yield* makeThreads({ ...options, start: () => oddThread("throws") })
      const sound = { rate: 24_000, samples: new Float32Array(100) }
      const cause = yield* Effect.flip(Effect.sandbox(writeSound(threads, sound, { codec: "mp3", rate: 24_000 })))
      assert.deepEqual(Cause.defects(cause).pipe(Chunk.toReadonlyArray), [new ThreadBroke({ kind: "TypeError" })])
    }))
})

describe("a thread that takes too long", () => {
  it.scopedLive("is ended, and its clip not called damaged: there may have been no core for it", () =>
    Effect.gen(function*() {
      const thread = oddThread("loops")
      const threads = yield* makeThreads({ ...options, start: () => thread })
      const clip = { bytes, filename: null, contentType: null }
      const refused = yield* Effect.flip(
        readClip(threads, clip, { format: "mp3", seconds: 15, budget: "20 millis" })
      )
      assert.deepInclude(refused, {
        _tag: "CodecsBusy",
        message: "The clip took too long to read here: try again later"
      })
      assert.isTrue(thread.isBroken())
    }))
})

/** A thread that never gets ready with a job by itself. */
const fakeThread = () => {
  let ends = 0
  const thread: CodecThread = {
    ready: Effect.void,
    run: () => Effect.never,
    end: Effect.sync(() => void (ends += 1)),
    isBroken: () => ends > 0
  }
  return { thread, ends: () => ends }
}

const lending = (given: Partial<ThreadsOptions> = {}) =>
  Effect.gen(function*() {
    const fakes: Array<ReturnType<typeof fakeThread>> = []
    const start = () => {
      const fake = fakeThread()
      fakes.push(fake)
      return fake.thread
    }
    const threads = yield* makeThreads({ ...options, start, ...given })
    return { threads, fakes, ends: () => fakes.map(({ ends }) => ends()) }
  })

describe("threads", () => {
  it.scoped("are started when there is work, no more of them than at a time, and used again", () =>
    Effect.gen(function*() {
      const { fakes, threads } = yield* lending({ size: 2 })
      assert.strictEqual(fakes.length, 0)
      for (let turn = 0; turn < 3; turn++) {
        yield* Effect.all(Array.from({ length: 4 }, () => threads.use(() => Effect.yieldNow())), {
          concurrency: "unbounded"
        })
      }
      assert.strictEqual(fakes.length, 2)
    }))

  it.scoped("refuse more work than may wait, and take some again", () =>
    Effect.gen(function*() {
      const { threads } = yield* lending()
      const gate = yield* Deferred.make<void>()
      const work = threads.use(() => Deferred.await(gate))
      const fibers = yield* Effect.all(Array.from({ length: 3 }, () => Effect.fork(work)))
      yield* TestClock.adjust(1)
      assert.deepInclude(yield* Effect.flip(work), { _tag: "NoThread" })
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      yield* work
    }))

  it.scoped("are not disturbed by who leaves while waiting, and are ended by who leaves at work", () =>
    Effect.gen(function*() {
      const { ends, threads } = yield* lending()
      const working = yield* Effect.fork(threads.use(({ run }) => run(jobOf())))
      yield* TestClock.adjust(1)
      const waiting = yield* Effect.fork(threads.use(() => Effect.void))
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(waiting)
      assert.deepStrictEqual(ends(), [0])
      yield* Fiber.interrupt(working)
      assert.deepStrictEqual(ends(), [1])
      yield* threads.use(() => Effect.void)
      assert.deepStrictEqual(ends(), [1, 0])
    }))

  it.scoped("are ended by work that fails", () =>
    Effect.gen(function*() {
      const { ends, threads } = yield* lending()
      yield* Effect.ignore(threads.use(() => Effect.fail("no")))
      assert.deepStrictEqual(ends(), [1])
    }))

  it.effect("are ended with their scope", () =>
    Effect.gen(function*() {
      const { ends } = yield* Effect.scoped(Effect.tap(lending(), ({ threads }) => threads.use(() => Effect.void)))
      assert.deepStrictEqual(ends(), [1])
    }))

  it.live("are ended when there was no work for long", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const thread = { ...fakeThread().thread, end: Effect.asVoid(Deferred.succeed(ended, undefined)) }
      const { threads } = yield* lending({ idleMillis: 1, start: () => thread })
      yield* threads.use(() => Effect.void)
      yield* Deferred.await(ended)
    }).pipe(Effect.scoped))
})
