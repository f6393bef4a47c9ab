import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { app, SocketUpgrade } from "@trunkline/http-api"
import { testEngineWith } from "@trunkline/http-api/testing"
import { Context, Effect, Option } from "effect"

/** Sends requests without a key to the app, on a server without WebSockets. */
const withApp = <A>(program: (send: (method: string, path: string) => Effect.Effect<Response>) => Effect.Effect<A>) =>
  Effect.gen(function*() {
    const handle = HttpApp.toWebHandlerRuntime(yield* Effect.runtime<never>())(yield* app)
    return yield* program((method, path) =>
      Effect.promise(() =>
        handle(
          new Request(`http://localhost${path}`, { method, ...(method === "POST" && { body: "{}" }) }),
          Context.make(SocketUpgrade, Option.none())
        )
      )
    )
  }).pipe(HttpMiddleware.withTracerDisabledWhenEffect(() => true), Effect.provide(testEngineWith({})))

describe("requests of telephony providers", () => {
  it.live("need no key, and are about a line that is here", () =>
    withApp((send) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send("GET", "/v1/connections/nowhere/events")).status, 404)
        assert.strictEqual((yield* send("POST", "/v1/connections/nowhere/events")).status, 404)
      })
    ))

  it.live("for a stream are taken by WebSocket only, which a plain request is told", () =>
    withApp((send) =>
      Effect.gen(function*() {
        const response = yield* send("GET", "/v1/connections/nowhere/streams/token")
        assert.strictEqual(response.status, 422)
        assert.include(yield* Effect.promise(() => response.text()), "send a request to upgrade")
      })
    ))
})
