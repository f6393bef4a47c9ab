import type { CohortResult, ImportFailed, ImportTask } from "@trunkline/cohorts"
import type { Spare } from "@trunkline/kernel"
import { Effect } from "effect"
import { Worker, type WorkerOptions } from "node:worker_threads"
import { answerIn, endRequest, importRequest } from "./Messages.js"
import { ThreadDefect } from "./ThreadDefect.js"
import type { ThreadEntry } from "./ThreadEntry.js"

type Import = Effect.Effect<CohortResult, ImportFailed>

/** A thread that imports one cohort at a time. The process does not stay for it unless it imports or ends. */
export interface ImportThread extends Spare {
  /** Imports; dies when the thread breaks. Interrupted, it leaves the thread at work, to be ended. */
  readonly run: (task: ImportTask) => Import
}

/** What a thread is started with. */
export interface ThreadOptions extends Pick<WorkerOptions, "resourceLimits" | "workerData"> {
  /** How long it may take to undo its transaction and close its files before it is cut off; 2,000 when absent. */
  readonly patienceMillis?: number
}

/** Starts a thread; its modules load while the first import waits. */
export const startThread = (
  entry: ThreadEntry,
  { patienceMillis = 2_000, ...options }: ThreadOptions
): ImportThread => {
  const worker = new Worker(entry.url, { ...entry.options, ...options, name: "cohort import" })
  const gone = new Promise<void>((resolve) => void worker.once("exit", () => resolve()))
  let broken: ThreadDefect | null = null
  let settle: (outcome: Import) => void = () => undefined

  const breakBy = (defect: ThreadDefect) => {
    broken ??= defect
    settle(Effect.die(broken))
  }
  worker.on("message", (answer) => settle(Effect.flatten(Effect.orDieWith(answerIn(answer), ThreadDefect.of))))
  worker.on("error", (error) => breakBy(ThreadDefect.of(error)))
  worker.on("messageerror", (error) => breakBy(ThreadDefect.of(error)))
  worker.on("exit", (code) => breakBy(new ThreadDefect(`ThreadExit ${code}`)))
  worker.unref()

  /** An effect during which the process stays for the thread. */
  const needed = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(Effect.sync(() => worker.ref()), () => effect, () => Effect.sync(() => worker.unref()))

  return {
    run: (task) =>
      needed(Effect.async((resume) => {
        if (broken !== null) return resume(Effect.die(broken))
        settle = resume
        worker.postMessage(importRequest(task))
      })),
    end: needed(Effect.promise(async () => {
      worker.postMessage(endRequest)
      const cutOff = setTimeout(() => void worker.terminate(), patienceMillis)
      await gone
      clearTimeout(cutOff)
    })),
    isBroken: () => broken !== null
  }
}
