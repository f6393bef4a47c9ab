import { Cause, Console, Duration, Effect, Exit, type Scope } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Worker } from "node:worker_threads"
import type { TestContext } from "vitest"

/** Figures of calls that tell of the machine that carried them. */
export interface Pace {
  /** Delay with which sound was sent, in milliseconds; 99th percentile. */
  readonly latenessMillis: number
  /** Frames of sound that were filled in, since those of the other side came too late. */
  readonly concealedFrames: number
}

/** Sound is sent every 20 ms: a machine that is later than this has missed a frame. */
const frameMillis = 20

/** Times that a test runs again, and the time that a run may take by default. */
const maxRetries = 3
const maxRunTime = "65 seconds"

/** Lateness of the wake-ups for each frame, in milliseconds: the 99th percentile, and the largest. */
interface Lateness {
  readonly p99: number
  readonly max: number
}

/** Counts how late a thread with nothing else to do wakes up for each frame. */
const witness = `
  const { parentPort } = require("node:worker_threads")
  const late = []
  let due = performance.now() + ${frameMillis}
  const wake = () => {
    const now = performance.now()
    late.push(now - due)
    due = Math.max(now, due + ${frameMillis})
    timer = setTimeout(wake, due - now)
  }
  let timer = setTimeout(wake, ${frameMillis})
  parentPort.once("message", () => {
    clearTimeout(timer)
    late.sort((left, right) => left - right)
    parentPort.postMessage({ p99: late[Math.floor(late.length * 0.99)] ?? 0, max: late.at(-1) ?? 0 })
  })
`

/** A thread that measures the lateness of this machine until it is asked. */
const startWitness = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new Worker(witness, { eval: true })),
    (worker) => Effect.promise(() => worker.terminate())
  ),
  (worker) =>
    Effect.async<Lateness>((resume) => {
      worker.once("message", (lateness: Lateness) => resume(Effect.succeed(lateness)))
      worker.postMessage("ask")
    })
)

/**
 * Largest delay of this thread's timers, in milliseconds, until it is asked. A thread that works waits for a core where one
 * that sleeps has it at once. The product may be what blocks the thread, so that this only ever lets a test run again.
 */
const startLoopDelay = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => monitorEventLoopDelay({ resolution: frameMillis })),
    (histogram) => Effect.sync(() => histogram.disable())
  ),
  (histogram) => {
    histogram.enable()
    return Effect.sync(() => histogram.max / 1e6 - frameMillis)
  }
)

const inTime: Pace = { latenessMillis: 0, concealedFrames: 0 }

/**
 * Runs a test in real time. It fails as usual on a machine that kept the pace. When the machine was late, by the figures of
 * the test's calls or by a thread that does nothing else, a test that fails runs again, at most three times and with a line
 * that says so: a single frame that is late can change a word. A test whose last run was on a machine that was late all the
 * time has shown nothing: it is skipped with that reason.
 *
 * `pace` reads the figures of the test's calls, after the test. `runTime` is the time that a run may take; 65 seconds by default.
 */
export const untilOnTime = <A, E, R>(
  context: TestContext,
  test: Effect.Effect<A, E, R>,
  pace: Effect.Effect<Pace> = Effect.succeed(inTime),
  runTime: Duration.DurationInput = maxRunTime
) => {
  const tried = Effect.exit(Effect.timeoutFailCause(Effect.scoped(test), {
    duration: runTime,
    onTimeout: () => Cause.die(new Error(`The test took more than ${Duration.format(runTime)}`))
  }))
  const measured = Effect.scoped(Effect.gen(function*() {
    const lateness = yield* startWitness
    const loopDelay = yield* startLoopDelay
    const exit = yield* tried
    const { concealedFrames, latenessMillis } = yield* pace
    const { max, p99 } = yield* lateness
    const maxMillis = Math.round(Math.max(max, yield* loopDelay))
    return { exit, concealedFrames, maxMillis, latenessMillis: Math.round(Math.max(latenessMillis, p99)) }
  }))
  const run = (tries: number): Effect.Effect<void, E, Exclude<R, Scope.Scope>> =>
    Effect.gen(function*() {
      const { concealedFrames, exit, latenessMillis, maxMillis } = yield* measured
      if (Exit.isSuccess(exit)) return
      const wasLate = latenessMillis > frameMillis || concealedFrames > 0
      const isLast = tries > maxRetries
      if (!wasLate && (isLast || maxMillis <= frameMillis)) return yield* Effect.failCause(exit.cause)
      const late = `${latenessMillis} ms late as a rule and ${maxMillis} ms at most`
      const reason = `the machine was ${late}, and ${concealedFrames} frames of sound were filled in`
      yield* Console.warn(
        `${context.task.name}, run ${tries} of ${maxRetries + 1}: ${reason}\n${Cause.pretty(exit.cause)}`
      )
      if (isLast) return context.skip(`in each of ${tries} runs the machine was late`)
      yield* run(tries + 1)
    })
  return run(1)
}
