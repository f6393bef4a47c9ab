import { describeCause } from "@trunkline/kernel"
import { rehearse } from "@trunkline/rehearsal"
import { Cause, Effect, Exit, Logger, Option } from "effect"
import { parentPort } from "node:worker_threads"
import { decodeRequest, encodeReply, type Reply } from "./RehearsalThread.js"

const post = (reply: Reply) => Effect.sync(() => parentPort?.postMessage(encodeReply(reply)))

const replyTo = (request: unknown) =>
  Effect.suspend(() =>
    rehearse({ ...decodeRequest(request), onProgress: (progress) => post({ _tag: "Progress", progress }) })
  ).pipe(
    Effect.exit,
    Effect.flatMap((exit) => {
      if (Exit.isSuccess(exit)) return post({ _tag: "Done", report: exit.value })
      return Option.match(Cause.failureOption(exit.cause), {
        onSome: (error) => post({ _tag: "Refused", error }),
        onNone: () => post({ _tag: "Broken", kind: describeCause(exit.cause) })
      })
    }),
    Effect.provide(Logger.remove(Logger.defaultLogger))
  )

// One campaign at a time, without a log.
parentPort?.on("message", (request) => void Effect.runFork(replyTo(request)))
