import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { bodyHas, headerHas, receive, respond, sdp } from "../../src/testing/SippScenario.js"
import { lineOf, liveTests, watch } from "../peers/World.js"
import { answers, calleeOf, hangsUp } from "./Callee.js"

const live = liveTests()

/** Headers of a callee that agrees to a session of four seconds, which we are to refresh after two. */
const agrees = ["Session-Expires: 4;refresher=uac", "Require: timer"]

const keepsRole = headerHas("Session-Expires:", "1800;refresher=uac")

describe.skipIf(!hasTools("sipp"))("a session that we refresh", () => {
  live("goes on by UPDATE where the callee takes it", () =>
    Effect.gen(function*() {
      const isRefreshed = [
        receive("UPDATE", { action: keepsRole }),
        respond(200, { tag: false, headers: agrees })
      ]
      const { callee, place } = yield* calleeOf([
        ...answers(sdp(), [...agrees, "Allow: INVITE, ACK, CANCEL, BYE, UPDATE"]),
        ...isRefreshed,
        ...isRefreshed,
        ...hangsUp()
      ])
      assert.strictEqual(yield* watch(lineOf(yield* (yield* place()).answer)).ended, "user")
      yield* callee.outcome
    }))

  live(
    "goes on by re-INVITE with the present description where it does not, and nothing is held",
    () =>
      Effect.gen(function*() {
        const { callee, place } = yield* calleeOf([
          ...answers(sdp(), agrees),
          receive("INVITE", { action: keepsRole + bodyHas("RTP/AVP 0 8 101") }),
          respond(200, { tag: false, body: sdp(), headers: agrees }),
          receive("ACK"),
          ...hangsUp()
        ])
        const { ended, events } = watch(lineOf(yield* (yield* place()).answer))
        assert.strictEqual(yield* ended, "user")
        assert.deepStrictEqual(events, ["Ended user"])
        yield* callee.outcome
      })
  )

  live("ends with a BYE when the callee answers no refresh", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([
        ...answers(sdp(), [...agrees, "Allow: INVITE, ACK, CANCEL, BYE, UPDATE"]),
        receive("UPDATE", { action: keepsRole }),
        receive("UPDATE", { optional: true }),
        receive("BYE"),
        respond(200, { tag: false })
      ])
      assert.strictEqual(yield* watch(lineOf(yield* (yield* place()).answer)).ended, "provider")
      yield* callee.outcome
    }))
})
