import { Context, Effect } from "effect"

/** One request and its answer, to the answer's last byte. */
export class Exchange extends Context.Tag("@trunkline/fetch/Exchange")<Exchange, {
  readonly request: Request
  /** Aborted when the client has gone, and when the exchange is cut. */
  readonly signal: AbortSignal
  /** Breaks the exchange off. */
  readonly cut: () => void
  /** Says that the exchange is over. */
  readonly end: () => void
}>() {}

/** The exchanges that are under way. */
export interface Exchanges {
  readonly begin: (request: Request) => typeof Exchange.Service
  /** Completes when all of them are over; cuts those that take longer than so many milliseconds. */
  readonly finish: (timeout: number) => Promise<void>
}

/** Keeps track of exchanges. */
export const makeExchanges = (): Exchanges => {
  const open = new Map<AbortController, Promise<void>>()

  const settled = async () => {
    while (open.size > 0) await Promise.all(open.values())
  }

  return {
    begin: (request) => {
      const cut = new AbortController()
      const abort = () => cut.abort()
      request.signal.addEventListener("abort", abort, { once: true })
      let resolve = () => {}
      open.set(cut, new Promise((done) => resolve = done))
      const end = () => {
        request.signal.removeEventListener("abort", abort)
        open.delete(cut)
        resolve()
      }
      return { request, signal: cut.signal, cut: abort, end }
    },
    finish: async (timeout) => {
      await Effect.runPromise(Effect.timeoutOption(Effect.promise(settled), timeout))
      for (const cut of open.keys()) cut.abort()
    }
  }
}
