import { describeCause } from "@trunkline/kernel"
import { Cause, Data, Effect } from "effect"
import { Worker, type WorkerOptions } from "node:worker_threads"
import { type Answer, type DrawRequest, isAnswer } from "./Messages.js"
import type { ThreadEntry } from "./ThreadEntry.js"

/** A thread broke, told by the kind of what broke it: nothing of what it was drawing. */
export class ThreadBroke extends Data.TaggedError("ThreadBroke")<{ readonly kind: string }> {}

/** A thread that draws one chart at a time. The process does not stay for it unless it draws. */
export interface DrawingThread {
  /** Draws. Interrupted, it leaves the thread at work, to be ended. */
  readonly draw: (request: DrawRequest) => Effect.Effect<Answer, ThreadBroke>
  /** Ends the thread and whatever it is doing, and waits until it is gone. */
  readonly end: Effect.Effect<void>
  /** Whether it will never draw anything again. */
  readonly isBroken: () => boolean
}

const kindOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? ` ${String(error.code)}` : ""
  return `${describeCause(Cause.die(error)).split("\n")[0] ?? ""}${code}`
}

/**
 * Starts a thread; its modules load while the first chart waits. What it would print is dropped, since ECharts may
 * complain of a chart with words from it.
 */
export const startThread = (
  entry: ThreadEntry,
  options: Pick<WorkerOptions, "resourceLimits" | "workerData">
): DrawingThread => {
  const worker = new Worker(entry.url, { ...entry.options, ...options, name: "charts", stdout: true, stderr: true })
  let broken: ThreadBroke | null = null
  let settle: (outcome: Effect.Effect<Answer, ThreadBroke>) => void = () => undefined

  const breakBy = (kind: string) => {
    broken ??= new ThreadBroke({ kind })
    settle(broken)
  }
  worker.on("message", (message) => isAnswer(message) ? settle(Effect.succeed(message)) : breakBy("UnknownAnswer"))
  worker.on("error", (error) => breakBy(kindOf(error)))
  worker.on("messageerror", (error) => breakBy(kindOf(error)))
  worker.on("exit", (code) => breakBy(`ThreadExit ${code}`))
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()

  return {
    draw: (request) =>
      Effect.acquireUseRelease(
        Effect.sync(() => worker.ref()),
        () =>
          Effect.async<Answer, ThreadBroke>((resume) => {
            if (broken !== null) return resume(broken)
            settle = resume
            worker.postMessage(request)
          }),
        () => Effect.sync(() => worker.unref())
      ),
    end: Effect.promise(() => worker.terminate()),
    isBroken: () => broken !== null
  }
}
