import { describeCause } from "@trunkline/kernel"
import { Cause, Either } from "effect"
import type { MessagePort } from "node:worker_threads"
import { makeDraw } from "../draw/Draw.js"
import type { Size } from "../draw/Look.js"
import type { Answer, DrawRequest } from "./Messages.js"

/** The life of a thread: it draws what it is asked for over the port, one chart after the other. */
export const serveDrawings = (port: MessagePort, size: Size): void => {
  const draw = makeDraw(size)

  const answerTo = ({ chart, format }: DrawRequest): Answer => {
    try {
      return Either.match(draw(chart, format), {
        onLeft: (message): Answer => ({ _tag: "Unsuitable", message }),
        onRight: (bytes): Answer => ({ _tag: "Drawn", bytes })
      })
    } catch (error) {
      return { _tag: "Broken", kind: describeCause(Cause.die(error)) }
    }
  }

  port.on("message", (request: DrawRequest) => {
    const answer = answerTo(request)
    port.postMessage(answer, answer._tag === "Drawn" ? [answer.bytes.buffer as ArrayBuffer] : [])
  })
}
