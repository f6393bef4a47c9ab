import { describeCause, type Spare } from "@trunkline/kernel"
import type { NothingToRehearse, RehearsalProgress, RehearsalReport, RehearsalRequest } from "@trunkline/rehearsal"
import { Cause, Effect, Either, Queue } from "effect"
import { Worker, type WorkerOptions } from "node:worker_threads"
import { type Answer, answerIn, requestFor } from "./Messages.js"
import type { ThreadEntry } from "./ThreadEntry.js"

/** The defect of a rehearsal whose thread broke, told by the kind of what broke it. */
export class RehearsalBroke extends Error {
  override readonly name = "RehearsalBroke"
  constructor(kind: string) {
    super(`A rehearsal broke in its thread: ${kind}`)
  }
}

const kindOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? ` ${String(error.code)}` : ""
  return `${describeCause(Cause.die(error)).split("\n")[0] ?? ""}${code}`
}

/** A thread that rehearses one campaign at a time. The process does not stay for it unless it rehearses. */
export interface RehearsalThread extends Spare {
  /** Rehearses; dies when the thread breaks. Interrupted, it leaves the thread at work, to be ended. */
  readonly run: (
    request: RehearsalRequest,
    onProgress: (progress: RehearsalProgress) => Effect.Effect<void>
  ) => Effect.Effect<RehearsalReport, NothingToRehearse>
}

/** Starts a thread; its modules load while the first rehearsal waits. */
export const startThread = (
  entry: ThreadEntry,
  resourceLimits: NonNullable<WorkerOptions["resourceLimits"]>
): RehearsalThread => {
  const worker = new Worker(entry.url, { ...entry.options, resourceLimits, name: "rehearsal" })
  let brokenBy: Answer | null = null
  let hear: (answer: Answer) => void = () => undefined

  const breakBy = (kind: string) => {
    brokenBy ??= { _tag: "Broken", kind }
    hear(brokenBy)
  }
  worker.on(
    "message",
    (message) =>
      Either.match(answerIn(message), { onLeft: (error) => breakBy(kindOf(error)), onRight: (answer) => hear(answer) })
  )
  worker.on("error", (error) => breakBy(kindOf(error)))
  worker.on("messageerror", (error) => breakBy(kindOf(error)))
  worker.on("exit", (code) => breakBy(`ThreadExit ${code}`))
  worker.unref()

  const ask = (request: RehearsalRequest) =>
    Effect.tap(Queue.unbounded<Answer>(), (answers) =>
      Effect.sync(() => {
        hear = (answer) => void answers.unsafeOffer(answer)
        if (brokenBy === null) worker.postMessage(requestFor(request))
        else hear(brokenBy)
      }))

  return {
    run: (request, onProgress) =>
      Effect.gen(function*() {
        const answers = yield* ask(request)
        for (;;) {
          const answer = yield* Queue.take(answers)
          if (answer._tag === "Done") return answer.report
          if (answer._tag === "Refused") return yield* answer.error
          if (answer._tag === "Broken") return yield* Effect.die(new RehearsalBroke(answer.kind))
          yield* onProgress(answer.progress)
        }
      }).pipe((rehearsal) =>
        Effect.acquireUseRelease(
          Effect.sync(() => worker.ref()),
          () => rehearsal,
          () => Effect.sync(() => worker.unref())
        )
      ),
    end: Effect.promise(() => worker.terminate()),
    isBroken: () => brokenBy !== null
  }
}
