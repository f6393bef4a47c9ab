import { Agent, request } from "node:http"

/** Measurements of a client with many streams at once. Gaps are between two pieces of one stream, in milliseconds. */
export interface Seen {
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

/** Opens so many streams, the first ones within a second, and reads them to their ends. */
const watch = async ({ body, headers, streams, url }: Task): Promise<Seen> => {
  const agent = new Agent({ keepAlive: true, maxSockets: streams })
  let [tokens, widestGap, lateGaps] = [0, 0, 0]
  const begun = performance.now()
  const one = (index: number) =>
    new Promise<void>((resolve, reject) => {
      setTimeout(() => {
        const asking = request(url, { agent, method: "POST", headers }, (response) => {
          let last = performance.now()
          response.on("data", (piece: Buffer) => {
            const now = performance.now()
            if (now - last > 500) lateGaps += 1
            widestGap = Math.max(widestGap, now - last)
            last = now
            for (let at = piece.indexOf("data: "); at >= 0; at = piece.indexOf("data: ", at + 6)) tokens += 1
          })
          response.once("end", resolve)
          response.once("error", reject)
        })
        asking.once("error", reject)
        asking.end(body)
      }, index * 1000 / streams)
    })
  await Promise.all(Array.from({ length: streams }, (_, index) => one(index)))
  return { tokens, widestGap, lateGaps, seconds: (performance.now() - begun) / 1000 }
}

process.on("message", (task: Task) => {
  void watch(task).then((seen) => process.send?.(seen))
})
process.on("disconnect", () => process.exit(0))
process.send?.("ready")
