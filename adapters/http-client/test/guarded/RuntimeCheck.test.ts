import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp } from "@trunkline/http-client/guarded"
import { Cause, Effect, Exit, Layer } from "effect"
import { Socket } from "node:net"
import tls from "node:tls"
import { vi } from "vitest"
import { noNetwork } from "./NoNetwork.js"

class NotFound extends Error {
  readonly code = "ENOTFOUND"
}

/** Makes sockets, or only those with TLS, ignore their lookup until the scope closes. */
const ownLookup = (which: "every" | "tls") =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const connect = Socket.prototype.connect
      return vi.spyOn(Socket.prototype, "connect").mockImplementation(
        function(this: Socket, ...args: ReadonlyArray<unknown>) {
          if (which === "tls" && !(this instanceof tls.TLSSocket)) return Reflect.apply(connect, this, args)
          setImmediate(() => this.destroy(new NotFound()))
          return this
        }
      )
    }),
    (spy) => Effect.sync(() => spy.mockRestore())
  )

const start = Effect.scoped(Layer.build(GuardedHttp.layer({ allowPrivateUrls: true })))

describe("checkRuntime", () => {
  it.effect("makes no connection", () =>
    Effect.gen(function*() {
      const attempts = yield* noNetwork
      yield* start
      assert.deepStrictEqual(attempts, [])
    }).pipe(Effect.scoped))

  it.effect.each(["every", "tls"] as const)(
    "rejects a runtime that ignores the lookup: %s connection",
    (which) =>
      Effect.gen(function*() {
        yield* ownLookup(which)
        const exit = yield* Effect.exit(start)
        assert.isTrue(Exit.isFailure(exit))
        if (Exit.isFailure(exit)) assert.match(Cause.pretty(exit.cause), /bypasses the guard/)
      }).pipe(Effect.scoped)
  )
})
