import { Effect } from "effect"
import { Agent, request } from "undici/index.js"
import { AddressRefused, guardedConnector } from "./GuardedConnector.js"

/** A name that no resolver knows (RFC 6761, 6.4): a runtime that asks its own finds nothing. */
const urls = ["http://guard.invalid/", "https://guard.invalid/"]

const isRefused = (url: string, dispatcher: Agent): Promise<boolean> =>
  request(url, { dispatcher }).then(() => false, (error: unknown) => error instanceof AddressRefused)

/**
 * Dies where the guard would not hold, because the runtime resolves names past it or has a client of its own.
 *
 * Bun 1.2.0 and earlier connect without the look-up that they are given. Asks for a name whose only address is refused,
 * with and without TLS; where the guard holds nothing is connected.
 */
export const checkRuntime: Effect.Effect<void> = Effect.suspend(() => {
  const connect = guardedConnector({
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    isAllowed: () => false,
    connectTimeoutMillis: 5_000
  })
  // Never closed, since it never has a connection, and the client of a runtime may not even know how to.
  const agent = new Agent({ connect })
  return Effect.forEach(urls, (url) => Effect.promise(() => isRefused(url, agent)), { concurrency: "unbounded" })
}).pipe(
  Effect.filterOrDieMessage(
    (refused) => refused.every((is) => is),
    "This runtime connects past the guard of @trunkline/http-guarded, so that URLs could reach private addresses. "
      + "Use Node 20.11 or later, or Bun 1.3 or later."
  ),
  Effect.asVoid
)
