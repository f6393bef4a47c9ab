import { Effect } from "effect"
import type { ServerResponse } from "node:http"

/** The answers that are under way. */
export interface InFlight {
  readonly add: (response: ServerResponse) => void
  /** Completes when all of them are over; cuts those that take longer than so many milliseconds. */
  readonly finish: (timeout: number) => Promise<void>
}

const over = (response: ServerResponse) => new Promise<void>((resolve) => response.once("close", resolve))

/** Keeps track of answers. Once it finishes, each is told to be the last of its connection. */
export const makeInFlight = (): InFlight => {
  const responses = new Set<ServerResponse>()
  let isFinishing = false

  const settled = async () => {
    while (responses.size > 0) await Promise.all(Array.from(responses, over))
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
      await Effect.runPromise(Effect.timeoutOption(Effect.promise(settled), timeout))
      responses.forEach((response) => response.destroy())
    }
  }
}
