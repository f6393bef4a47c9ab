import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import { receive, receiveCall, respond, sdp } from "../../src/testing/SippScenario.js"
import { carrierOf, connectionTo, lineOf, liveTests, planFor, watch } from "../peers/World.js"
import { openRelay } from "../UdpRelay.js"
import { hangsUp } from "./Callee.js"

const live = liveTests()

describe.skipIf(!hasTools("sipp"))("an answer whose acknowledgement is lost", () => {
  live("comes again, is acknowledged each time, and makes no second call", () =>
    Effect.gen(function*() {
      const keys: Array<string> = []
      const isLost = (bytes: Uint8Array): boolean => {
        const [start = ""] = Buffer.from(bytes).toString().split("\r\n", 1)
        // A keep-alive asks whether anybody listens.
        if (start === "") return false
        keys.push(start.startsWith("SIP/2.0") ? start.split(" ", 2)[1] ?? "" : start.split(" ", 1)[0] ?? "")
        return keys.at(-1) === "ACK" && keys.filter((name) => name === "ACK").length <= 2
      }
      const relay = yield* openRelay({ seed: 1, drops: isLost })
      const callee = yield* startSipp({
        remote: null,
        steps: [
          receiveCall(),
          // All requests of the call go through the relay.
          respond(200, { body: sdp(), headers: [`Record-Route: <sip:127.0.0.1:${relay.port};lr>`], repeats: true }),
          receive("ACK"),
          ...hangsUp()
        ]
      })
      relay.to(callee.port)
      const connection = connectionTo(relay.port)
      const carrier = yield* carrierOf(connection)
      const call = yield* carrier.place(planFor(connection))
      const { ended, events } = watch(lineOf(yield* call.answer))
      assert.lengthOf(yield* carrier.live(connection), 1)
      assert.strictEqual(yield* ended, "user")
      yield* callee.outcome
      assert.deepStrictEqual(keys, ["INVITE", "200", "ACK", "200", "ACK", "200", "ACK", "BYE"])
      assert.deepStrictEqual(events, ["Ended user"])
    }))
})
