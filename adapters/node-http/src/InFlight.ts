import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** Tracks the responses in flight. */
export interface InFlight {
  readonly add: (response: ServerResponse) => void
  /** Completes when no response is in flight; cuts those that take longer than the timeout, in milliseconds. */
  readonly finish: (timeout: number) => Promise<void>
}

const waitUntilClosed = (response: ServerResponse) => new Promise<void>((resolve) => response.once("close", resolve))

/** Makes a tracker of responses. Once it finishes, each response closes its connection. */
export const makeInFlight = (): InFlight => {
  const responses = new Set<ServerResponse>()
  let isFinishing = false

  const drain = async () => {
    while (responses.size > 0) await Promise.all(Array.from(responses, waitUntilClosed))
  }

  return {
    add: (response) => {
      responses.add(response)
      response.once("close", () => responses.delete(response))
      response.shouldKeepAlive &&= !isFinishing
    },
    finish: async (timeout) => {
      isFinishing = true
      responses.forEach((response) => {
        response.shouldKeepAlive = false
      })
      await Effect.runPromise(Effect.timeoutOption(Effect.promise(drain), timeout))
      responses.forEach((response) => response.destroy())
    }
  }
}

/** Bytes of a body that are accepted after its response, so that a client that is still sending receives the response. */
const drainLimitBytes = 16_777_216

/** Interval of the check of the drained bytes, in milliseconds. */
const drainCheckInterval = 250

/** Limits how much a client may send of a body that was not read before the response; beyond it, the connection is cut. */
export const limitDrain = (request: IncomingMessage): void => {
  const { socket } = request
  if (request.complete || socket.destroyed) return
  const before = socket.bytesRead
  const check = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(check)
    if (socket.bytesRead - before > drainLimitBytes) socket.destroy()
  }, drainCheckInterval)
  check.unref()
}
