import { Effect, type Scope } from "effect"
import { isIP, type LookupFunction, Socket } from "node:net"
import { vi } from "vitest"

interface Target {
  readonly host: string
  readonly port: number
  readonly lookup: LookupFunction
}

class ConnectionRefused extends Error {
  readonly code = "ECONNREFUSED"
}

/**
 * Lets no socket connect until the scope closes, and lists where they would have gone, as `address:port`.
 *
 * Names go through the look-up that the socket was given, as they would in Node.
 */
export const noNetwork: Effect.Effect<ReadonlyArray<string>, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const attempts: Array<string> = []
      const connect = vi.spyOn(Socket.prototype, "connect").mockImplementation(
        function(this: Socket, first: unknown) {
          const { host, lookup, port }: Target = Array.isArray(first) ? first[0] : first
          const attempt = (address: string) => {
            attempts.push(`${address}:${port}`)
            this.destroy(new ConnectionRefused())
          }
          if (isIP(host) !== 0) attempt(host)
          else {
            lookup(host, { all: true }, (error, addresses) => {
              if (error !== null) this.destroy(error)
              else if (Array.isArray(addresses)) addresses.forEach(({ address }) => attempt(address))
            })
          }
          return this
        }
      )
      return { attempts, connect }
    }),
    ({ connect }) => Effect.sync(() => connect.mockRestore())
  ),
  ({ attempts }) => attempts
)
