import { describeCause } from "@trunkline/kernel"
import { rehearse } from "@trunkline/rehearsal"
import { Cause, Effect, Exit, Logger, Option } from "effect"
import type { MessagePort } from "node:worker_threads"
import { type Answer, answerFor, requestIn } from "./Messages.js"

/** The life of a thread: it rehearses what it was started with, and ends. It logs nothing. */
export const serveRehearsal = (port: MessagePort, request: unknown): void => {
  const tell = (answer: Answer) => Effect.sync(() => port.postMessage(answerFor(answer)))
  const rehearsal = Effect.suspend(() =>
    rehearse({ ...requestIn(request), onProgress: (progress) => tell({ _tag: "Progress", progress }) })
  )
  const program = Effect.flatMap(Effect.exit(rehearsal), (exit) => {
    if (Exit.isSuccess(exit)) return tell({ _tag: "Done", report: exit.value })
    return Option.match(Cause.failureOption(exit.cause), {
      onSome: (error) => tell({ _tag: "Refused", error }),
      onNone: () => tell({ _tag: "Broken", kind: describeCause(exit.cause) })
    })
  })
  Effect.runFork(Effect.provide(program, Logger.remove(Logger.defaultLogger)))
}
