import { parentPort, workerData } from "node:worker_threads"
import type { ThreadModel, ThreadOrder, ThreadReply } from "./ModelThread.js"
import { ForeignModel } from "./OnnxRuntime.js"
import { makeSileroQueue, type SileroRequest } from "./SileroQueue.js"
import { openSession, trySession } from "./SileroSession.js"
import { makeSmartTurnQueue, type SmartTurnRequest } from "./SmartTurnQueue.js"
import { openSmartTurn, trySmartTurn } from "./SmartTurnSession.js"

/** Name and code of an error, without its message. */
const kindOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}${"code" in error ? ` ${String(error.code)}` : ""}` : typeof error

if (parentPort !== null) {
  const port = parentPort
  const reply = (message: ThreadReply): void => port.postMessage(message)
  const answer = (message: Omit<Extract<ThreadReply, { _tag: "Answer" }>, "_tag">): void =>
    reply({ _tag: "Answer", ...message })
  const fail = (error: unknown): void => reply({ _tag: "Broken", kind: kindOf(error) })

  /** Gives the orders of the engine's thread to a queue. */
  const serve = <Request>(
    { add, forget }: { readonly add: (request: Request) => void; readonly forget: (call: number) => void }
  ): void => {
    port.on(
      "message",
      (order: ThreadOrder<Request>) => order._tag === "Forget" ? forget(order.call) : add(order.request)
    )
    reply({ _tag: "Ready" })
  }

  const { kind, model, runtime }: ThreadModel = workerData
  try {
    if (kind === "silero") {
      const session = await openSession(runtime, model)
      await trySession(session)
      serve<SileroRequest>(makeSileroQueue(session, answer, fail))
    } else {
      const session = await openSmartTurn(runtime, model)
      await trySmartTurn(session)
      serve<SmartTurnRequest>(makeSmartTurnQueue(session, answer, fail))
    }
  } catch (error) {
    reply(
      error instanceof ForeignModel ? { _tag: "Foreign", is: error.message } : { _tag: "Broken", kind: kindOf(error) }
    )
  }
}
