import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { DemoAttempt } from "./DemoAttempt.js"

/** A webhook receiver on this machine. */
export interface Receiver {
  readonly url: string
  /** Every attempt received, by its id: deliveries may repeat. */
  readonly attempts: ReadonlyMap<string, DemoAttempt>
  readonly deliveries: () => number
  readonly close: () => void
}

/** Starts a receiver on a free port. */
export const startReceiver = (): Promise<Receiver> =>
  new Promise((resolve, reject) => {
    const attempts = new Map<string, DemoAttempt>()
    let deliveries = 0
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const attempt = attemptIn(Buffer.concat(chunks).toString("utf8"))
        if (attempt === null) return response.writeHead(400).end()
        attempts.set(attempt.attempt_id, attempt)
        deliveries += 1
        return response.writeHead(204).end()
      })
    })
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}/attempts`,
        attempts,
        deliveries: () => deliveries,
        close: () => {
          server.close()
          server.closeAllConnections()
        }
      })
    })
  })

const attemptIn = (body: string): DemoAttempt | null => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
