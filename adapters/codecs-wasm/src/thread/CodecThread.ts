import { describeCause } from "@trunkline/kernel"
import { Cause, Data, Deferred, Effect, FiberId } from "effect"
import { Worker, type WorkerOptions } from "node:worker_threads"
import { type Answer, isAnswer, type Job } from "./Messages.js"
import type { ThreadEntry } from "./ThreadEntry.js"

/** A thread broke, told by the kind of what broke it: nothing of what it was working on. */
export class ThreadBroke extends Data.TaggedError("ThreadBroke")<{ readonly kind: string }> {}

/** What comes of a job. */
export type Outcome = Exclude<Answer, { readonly _tag: "Ready" | "Broken" }>

/** A thread that does one job at a time. The process does not stay for it unless it works. */
export interface CodecThread {
  /** Waits until the thread can be asked. */
  readonly ready: Effect.Effect<void, ThreadBroke>
  /** Does a job, whose memory is the thread's from then on. Interrupted, it leaves the thread at work, to be ended. */
  readonly run: (job: Job) => Effect.Effect<Outcome, ThreadBroke>
  /** Ends the thread and whatever it is doing, and waits until it is gone. */
  readonly end: Effect.Effect<void>
  /** Whether it will never do anything again. */
  readonly isBroken: () => boolean
}

const kindOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? ` ${String(error.code)}` : ""
  return `${describeCause(Cause.die(error)).split("\n")[0] ?? ""}${code}`
}

/** The memory that goes with a job. */
const memoryOf = (job: Job) => job._tag === "Read" ? job.reading.bytes : job.writing.samples

/** Starts a thread, whose modules load meanwhile. What it would print is dropped: it may say what is in a clip. */
export const startThread = (
  entry: ThreadEntry,
  options: Pick<WorkerOptions, "resourceLimits" | "workerData">
): CodecThread => {
  const worker = new Worker(entry.url, { ...entry.options, ...options, name: "codecs", stdout: true, stderr: true })
  const ready = Deferred.unsafeMake<void, ThreadBroke>(FiberId.none)
  let broken: ThreadBroke | null = null
  let settle: (outcome: Effect.Effect<Outcome, ThreadBroke>) => void = () => undefined

  const breakBy = (kind: string) => {
    broken ??= new ThreadBroke({ kind })
    Deferred.unsafeDone(ready, broken)
    settle(broken)
  }
  const hear = (answer: Answer) => {
    if (answer._tag === "Ready") Deferred.unsafeDone(ready, Effect.void)
    else settle(answer._tag === "Broken" ? new ThreadBroke({ kind: answer.kind }) : Effect.succeed(answer))
  }
  worker.on("message", (message) => isAnswer(message) ? hear(message) : breakBy("UnknownAnswer"))
  worker.on("error", (error) => breakBy(kindOf(error)))
  worker.on("messageerror", (error) => breakBy(kindOf(error)))
  worker.on("exit", (code) => breakBy(`ThreadExit ${code}`))
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()

  /** An effect during which the process stays for the thread. */
  const needed = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(Effect.sync(() => worker.ref()), () => effect, () => Effect.sync(() => worker.unref()))

  return {
    ready: needed(Deferred.await(ready)),
    run: (job) =>
      needed(Effect.async((resume) => {
        if (broken !== null) return resume(broken)
        settle = resume
        worker.postMessage(job, [memoryOf(job).buffer])
      })),
    end: Effect.promise(() => worker.terminate()),
    isBroken: () => broken !== null
  }
}
