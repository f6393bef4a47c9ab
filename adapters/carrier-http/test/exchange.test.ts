import { assert, describe, it } from "@effect/vitest"
import type { Connections } from "@trunkline/http-upstream"
import { Effect } from "effect"
import { exchange } from "../src/Exchange.js"

describe("a process that was stopped while it connected", () => {
  it.live("asks nothing once its time is over, even when it hears of its connection before its clock", () =>
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
            hold: () => {},
            resume: () => {}
          }
        }
      }
      const asked = exchange(
        connections,
        { path: "/calls", headers: {}, body: "{}" },
        { connectMillis: 50, totalMillis: 50, mostBytes: 1 }
      )
      assert.deepInclude(yield* Effect.flip(asked), { sent: false, status: null, reason: "no connection in time" })
      assert.isTrue(cancelled)
    }))
})
