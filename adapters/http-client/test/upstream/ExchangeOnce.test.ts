import { assert, describe, it } from "@effect/vitest"
import { exchange, type HttpConnections } from "@trunkline/http-client"
import { Effect } from "effect"

describe("a process that was suspended while connecting", () => {
  it.live("sends nothing after the deadline, even when the connection event precedes the timer", () =>
    Effect.gen(function*() {
      let cancelled = false
      const connections: HttpConnections = {
        post: (_, { onSent }) => {
          setImmediate(() => {
            for (const end = performance.now() + 60; performance.now() < end;);
            onSent()
          })
          return {
            hasOwnConnection: () => true,
            cancel: () => {
              cancelled = true
            },
            pause: () => {},
            resume: () => {}
          }
        }
      }
      const request = exchange(
        connections,
        { path: "/calls", headers: {}, body: "{}" },
        { connectMillis: 50, totalMillis: 50, maxBytes: 1 }
      )
      assert.deepInclude(yield* Effect.flip(request), { isSent: false, status: null, reason: "no connection in time" })
      assert.isTrue(cancelled)
    }))
})
