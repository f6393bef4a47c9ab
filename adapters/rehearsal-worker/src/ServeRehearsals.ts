import { describeCause } from "@trunkline/kernel"
import { rehearse } from "@trunkline/rehearsal"
import { Cause, Effect, Exit, Logger, Option } from "effect"
import type { MessagePort } from "node:worker_threads"
import { type Answer, answerFor, requestIn } from "./Messages.js"

/** The life of a thread: it rehearses what it is asked for over the port, one campaign at a time. It logs nothing. */
export const serveRehearsals = (port: MessagePort): void => {
  const tell = (answer: Answer) => Effect.sync(() => port.postMessage(answerFor(answer)))

  const answerTo = (request: unknown) =>
    Effect.suspend(() =>
      rehearse({ ...requestIn(request), onProgress: (progress) => tell({ _tag: "Progress", progress }) })
    ).pipe(
      Effect.exit,
      Effect.flatMap((exit) => {
        if (Exit.isSuccess(exit)) return tell({ _tag: "Done", report: exit.value })
        return Option.match(Cause.failureOption(exit.cause), {
          onSome: (error) => tell({ _tag: "Refused", error }),
          onNone: () => tell({ _tag: "Broken", kind: describeCause(exit.cause) })
        })
      }),
      Effect.provide(Logger.remove(Logger.defaultLogger))
    )

  port.on("message", (request) => void Effect.runFork(answerTo(request)))
}
