import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** A web server on this machine with one file. */
export interface SlowFile {
  readonly url: string
  /** Number of requests for the file that have begun. */
  readonly requests: () => number
  /** Share of the file that the newest request has been sent, from 0 to 1. */
  readonly sent: () => number
  readonly close: () => void
}

const pieces = 40

/** Serves a file a piece at a time, with a pause after each. */
export const serveSlowly = async (text: string, pauseMillis: number): Promise<SlowFile> => {
  const bytes = Buffer.from(text)
  const size = Math.ceil(bytes.length / pieces)
  let requests = 0
  let sentCount = 0
  const server = createServer(async (_, response) => {
    requests += 1
    sentCount = 0
    response.writeHead(200, { "content-type": "text/csv", "content-length": bytes.length })
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      response.write(bytes.subarray(at, at + size))
      sentCount = Math.min(1, (at + size) / bytes.length)
      await pause(pauseMillis)
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/people.csv?signature=secret`,
    requests: () => requests,
    sent: () => sentCount,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
