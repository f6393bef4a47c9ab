import { Agent, request } from "node:http"

/** Measurements of a client with many concurrent streams. Gaps are between chunks of one stream, in milliseconds. */
export interface StreamFigures {
  readonly tokens: number
  readonly widestGap: number
  readonly lateGaps: number
  readonly seconds: number
}

interface Task {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly streams: number
}

/** Opens the given number of streams over one second, and reads them to the end. */
const readStreams = async ({ body, headers, streams, url }: Task): Promise<StreamFigures> => {
  const agent = new Agent({ keepAlive: true, maxSockets: streams })
  let [tokens, widestGap, lateGaps] = [0, 0, 0]
  const start = performance.now()
  const one = (index: number) =>
    new Promise<void>((resolve, reject) => {
      setTimeout(() => {
        const outgoing = request(url, { agent, method: "POST", headers }, (response) => {
          let last = performance.now()
          response.on("data", (chunk: Buffer) => {
            const now = performance.now()
            if (now - last > 500) lateGaps += 1
            widestGap = Math.max(widestGap, now - last)
            last = now
            for (let at = chunk.indexOf("data: "); at >= 0; at = chunk.indexOf("data: ", at + 6)) tokens += 1
          })
          response.once("end", resolve)
          response.once("error", reject)
        })
        outgoing.once("error", reject)
        outgoing.end(body)
      }, index * 1000 / streams)
    })
  await Promise.all(Array.from({ length: streams }, (_, index) => one(index)))
  return { tokens, widestGap, lateGaps, seconds: (performance.now() - start) / 1000 }
}

process.on("message", (task: Task) => {
  void readStreams(task).then((figures) => process.send?.(figures))
})
process.on("disconnect", () => process.exit(0))
process.send?.("ready")
