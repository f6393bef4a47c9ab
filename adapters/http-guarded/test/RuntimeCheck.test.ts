import { assert, describe, it } from "@effect/vitest"
import { GuardedHttp } from "@trunkline/http-guarded"
import { Cause, Effect, Exit, Layer } from "effect"
import { Socket } from "node:net"
import tls from "node:tls"
import { vi } from "vitest"
import { noNetwork } from "./NoNetwork.js"

class NotFound extends Error {
  readonly code = "ENOTFOUND"
}

/** Lets sockets, or those with TLS only, resolve names by themselves until the scope closes, and find nothing. */
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

describe("the guard at its start", () => {
  it.effect("tries itself without connecting anywhere", () =>
    Effect.gen(function*() {
      const attempts = yield* noNetwork
      yield* start
      assert.deepStrictEqual(attempts, [])
    }).pipe(Effect.scoped))

  it.effect.each(["every", "tls"] as const)(
    "refuses a runtime that resolves names past it: %s connection",
    (which) =>
      Effect.gen(function*() {
        yield* ownLookup(which)
        const exit = yield* Effect.exit(start)
        assert.isTrue(Exit.isFailure(exit))
        if (Exit.isFailure(exit)) assert.match(Cause.pretty(exit.cause), /connects past the guard/)
      }).pipe(Effect.scoped)
  )
})
