import { assert, describe, it } from "@effect/vitest"
import { type Connections, exchange } from "@trunkline/http-upstream"
import { Effect } from "effect"

describe("a process that was suspended while connecting", () => {
  it.live("sends nothing after the deadline, even when the connection event precedes the timer", () =>
    Effect.gen(function*() {
      let cancelled = false
      const connections: Connections = {
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
      const asked = exchange(
        connections,
        { path: "/calls", headers: {}, body: "{}" },
        { connectMillis: 50, totalMillis: 50, maxBytes: 1 }
      )
      assert.deepInclude(yield* Effect.flip(asked), { sent: false, status: null, reason: "no connection in time" })
      assert.isTrue(cancelled)
    }))
})
