import { describeCause } from "@trunkline/kernel"
import type { NothingToRehearse, RehearsalProgress, RehearsalReport, RehearsalRequest } from "@trunkline/rehearsal"
import { Cause, Effect, Queue } from "effect"
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

const start = (
  entry: ThreadEntry,
  resourceLimits: NonNullable<WorkerOptions["resourceLimits"]>,
  request: RehearsalRequest
) =>
  Effect.gen(function*() {
    const answers = yield* Queue.unbounded<Answer>()
    const worker = yield* Effect.sync(() => {
      const workerData = requestFor(request)
      return new Worker(entry.url, { ...entry.options, workerData, resourceLimits, name: "rehearsal" })
    })
    const breakBy = (kind: string) => void answers.unsafeOffer({ _tag: "Broken", kind })
    worker.on("message", (message) => void answers.unsafeOffer(answerIn(message)))
    worker.on("error", (error) => breakBy(kindOf(error)))
    worker.on("messageerror", (error) => breakBy(kindOf(error)))
    worker.on("exit", (code) => breakBy(`ThreadExit ${code}`))
    return { answers, worker }
  })

/** Rehearses in a thread of its own, which is ended with the rehearsal and with its interruption. Dies when it breaks. */
export const rehearseInThread = (
  entry: ThreadEntry,
  { onProgress, request, resourceLimits }: {
    readonly resourceLimits: NonNullable<WorkerOptions["resourceLimits"]>
    readonly request: RehearsalRequest
    readonly onProgress: (progress: RehearsalProgress) => Effect.Effect<void>
  }
): Effect.Effect<RehearsalReport, NothingToRehearse> =>
  Effect.acquireUseRelease(
    start(entry, resourceLimits, request),
    ({ answers }) =>
      Effect.gen(function*() {
        for (;;) {
          const answer = yield* Queue.take(answers)
          if (answer._tag === "Done") return answer.report
          if (answer._tag === "Refused") return yield* answer.error
          if (answer._tag === "Broken") return yield* Effect.die(new RehearsalBroke(answer.kind))
          yield* onProgress(answer.progress)
        }
      }),
    ({ worker }) => Effect.promise(() => worker.terminate())
  )
