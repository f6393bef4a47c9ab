import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hasTools } from "./peers/PeerProcess.js"
import { startSipp } from "./peers/Sipp.js"
import { pause, receive, receiveCall, requestOfCallee, respond, sdp } from "./peers/SippScenario.js"
import { carrierOf, connectionTo, planFor } from "./peers/World.js"

describe.skipIf(!hasTools("sipp"))("a call to sipp", () => {
  it.scopedLive("is answered, and ended by the callee", () =>
    Effect.gen(function*() {
      const callee = yield* startSipp({
        remote: null,
        steps: [
          receiveCall(),
          respond(180),
          pause(200),
          respond(200, { body: sdp() }),
          receive("ACK"),
          pause(300),
          requestOfCallee("BYE"),
          receive(200)
        ]
      })
      const connection = connectionTo(callee.port)
      const carrier = yield* carrierOf(connection)
      yield* Effect.sleep("300 millis")
      const call = yield* carrier.place(planFor(connection))
      const answered = yield* call.answer
      if (!("_tag" in answered)) return assert.fail("a line with sound")
      const ended = yield* Effect.async<string>((resume) => {
        answered.hear((event) => {
          if (event._tag === "Ended") resume(Effect.succeed(event.by))
        })
      })
      assert.strictEqual(ended, "user")
      yield* callee.held
    }))
})
