import { describeCause } from "@trunkline/kernel"
import { Cause, Either } from "effect"
import { type MessagePort, parentPort, workerData } from "node:worker_threads"
import { decodeSize, type RenderRequest, type Reply } from "./ChartThread.js"
import { makeDrawChart } from "./draw/DrawChart.js"

/** Renders the charts that are requested over a port, one after the other. */
const serveCharts = (port: MessagePort): void => {
  const drawChart = makeDrawChart(decodeSize(workerData))

  const replyTo = ({ chart, format, size }: RenderRequest): Reply => {
    try {
      return Either.match(drawChart(chart, format, size), {
        onLeft: (message): Reply => ({ _tag: "Unsuitable", message }),
        onRight: (bytes): Reply => ({ _tag: "Rendered", bytes })
      })
    } catch (error) {
      return { _tag: "Broken", kind: describeCause(Cause.die(error)) }
    }
  }

  port.on("message", (request: RenderRequest) => {
    const reply = replyTo(request)
    const { buffer } = reply._tag === "Rendered" ? reply.bytes : { buffer: undefined }
    port.postMessage(reply, buffer instanceof ArrayBuffer ? [buffer] : [])
  })
}

if (parentPort !== null) serveCharts(parentPort)
