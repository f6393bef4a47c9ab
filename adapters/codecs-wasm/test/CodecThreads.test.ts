import { assert, describe, it } from "@effect/vitest"
import { Cause, Chunk, Deferred, type Duration, Effect, Fiber, Logger, TestClock } from "effect"
import { decodeClip, encodeAudio } from "../src/CodecJobs.js"
import {
  type CodecJob,
  type CodecThread,
  type CodecThreadsOptions,
  JobCrashed,
  makeCodecThreads,
  runJob,
  startCodecThread
} from "../src/CodecThreads.js"

const startOdd = (way: string) =>
  startCodecThread(new URL("./threads/odd.mjs", import.meta.url), {
    workerData: way,
    resourceLimits: { maxOldGenerationSizeMb: 16 }
  })

const bytes = new Uint8Array([1, 2, 3])

const newJob = (): CodecJob => ({ _tag: "Decode", job: { format: "mp3", seconds: 15, bytes: bytes.slice() } })

const options = { size: 1, waiting: 2, idleMillis: 60_000 }

const silent = Logger.remove(Logger.defaultLogger)

const decodeBy = (way: string, limit: Duration.DurationInput) =>
  Effect.gen(function*() {
    const threads = yield* makeCodecThreads({ ...options, start: () => startOdd(way) })
    const clip = { bytes, filename: null, contentType: null }
    return yield* Effect.flip(decodeClip(threads, clip, { format: "mp3", seconds: 15, limit }))
  }).pipe(Effect.provide(silent))

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
        const thread = startOdd(way)
        yield* thread.ready
        assert.deepInclude(yield* Effect.flip(runJob(thread, newJob())), { _tag: "JobCrashed", kind })
        assert.isTrue(thread.isBroken())
        yield* thread.end
      }))
  }

  it.effect("reports a crash while it starts", () =>
    Effect.gen(function*() {
      const thread = startOdd("dies")
      assert.deepInclude(yield* Effect.flip(thread.ready), { _tag: "WorkerCrashed", kind: "RangeError" })
      assert.deepInclude(yield* Effect.flip(runJob(thread, newJob())), { kind: "RangeError" })
    }))

  it.scopedLive("makes its clip unreadable", () =>
    Effect.gen(function*() {
      const error = yield* decodeBy("throws", "30 seconds")
      assert.deepInclude(error, { _tag: "ClipRefused", reason: "unreadable", message: "It is damaged" })
    }))

  it.scopedLive("while it starts fails with CodecsBusy", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* decodeBy("dies", "30 seconds"), { _tag: "CodecsBusy" })
    }))

  it.scopedLive("is a defect of encoding", () =>
    Effect.gen(function*() {
      const threads = yield* makeCodecThreads({ ...options, start: () => startOdd("throws") })
      const audio = { rate: 24_000, samples: new Float32Array(100) }
      const cause = yield* Effect.flip(Effect.sandbox(encodeAudio(threads, audio, { codec: "mp3", rate: 24_000 })))
      assert.deepEqual(Cause.defects(cause).pipe(Chunk.toReadonlyArray), [new JobCrashed({ kind: "TypeError" })])
    }))
})

describe("a thread that exceeds the time limit", () => {
  it.scopedLive("is ended, and its clip not called damaged: there may have been no core for it", () =>
    Effect.gen(function*() {
      const thread = startOdd("loops")
      const threads = yield* makeCodecThreads({ ...options, start: () => thread })
      const clip = { bytes, filename: null, contentType: null }
      const error = yield* Effect.flip(decodeClip(threads, clip, { format: "mp3", seconds: 15, limit: "20 millis" }))
      assert.deepInclude(error, {
        _tag: "CodecsBusy",
        message: "The clip took too long to read here: try again later"
      })
      assert.isTrue(thread.isBroken())
    }))
})

/** A thread that is ready at once and never finishes a job. */
const fakeThread = () => {
  let ends = 0
  const thread: CodecThread = {
    ready: Effect.void,
    request: () => Effect.never,
    requestMany: () => Effect.never,
    end: Effect.sync(() => void (ends += 1)),
    isBroken: () => ends > 0
  }
  return { thread, ends: () => ends }
}

const makeFakes = (fakeOptions: Partial<CodecThreadsOptions> = {}) =>
  Effect.gen(function*() {
    const fakes: Array<ReturnType<typeof fakeThread>> = []
    const start = () => {
      const fake = fakeThread()
      fakes.push(fake)
      return fake.thread
    }
    const threads = yield* makeCodecThreads({ ...options, start, ...fakeOptions })
    return { threads, fakes, ends: () => fakes.map(({ ends }) => ends()) }
  })

describe("threads", () => {
  it.scoped("start when there is work, up to the maximum, and are reused", () =>
    Effect.gen(function*() {
      const { fakes, threads } = yield* makeFakes({ size: 2 })
      assert.strictEqual(fakes.length, 0)
      for (let round = 0; round < 3; round++) {
        yield* Effect.all(Array.from({ length: 4 }, () => threads.use(() => Effect.yieldNow())), {
          concurrency: "unbounded"
        })
      }
      assert.strictEqual(fakes.length, 2)
    }))

  it.scoped("reject more work than may wait, until some is done", () =>
    Effect.gen(function*() {
      const { threads } = yield* makeFakes()
      const gate = yield* Deferred.make<void>()
      const work = threads.use(() => Deferred.await(gate))
      const fibers = yield* Effect.all(Array.from({ length: 3 }, () => Effect.fork(work)))
      yield* TestClock.adjust(1)
      assert.deepInclude(yield* Effect.flip(work), { _tag: "NoThread" })
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      yield* work
    }))

  it.scoped("are kept when work that waits is interrupted, and ended when work at one is", () =>
    Effect.gen(function*() {
      const { ends, threads } = yield* makeFakes()
      const working = yield* Effect.fork(threads.use((thread) => runJob(thread, newJob())))
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
      const { ends, threads } = yield* makeFakes()
      yield* Effect.ignore(threads.use(() => Effect.fail("no")))
      assert.deepStrictEqual(ends(), [1])
    }))

  it.effect("end with their scope", () =>
    Effect.gen(function*() {
      const { ends } = yield* Effect.scoped(Effect.tap(makeFakes(), ({ threads }) => threads.use(() => Effect.void)))
      assert.deepStrictEqual(ends(), [1])
    }))

  it.live("end when they have been idle", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const thread = { ...fakeThread().thread, end: Effect.asVoid(Deferred.succeed(ended, undefined)) }
      const { threads } = yield* makeFakes({ idleMillis: 1, start: () => thread })
      yield* threads.use(() => Effect.void)
      yield* Deferred.await(ended)
    }).pipe(Effect.scoped))
})
