import { Effect } from "effect"
import type { ServerResponse } from "node:http"

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
