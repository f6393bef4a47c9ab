import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { header, type UserAgentOptions } from "@trunkline/sip"
import { Effect, Queue } from "effect"
import { answer, callee, caller, connect, inBackground, invitation, makeNetwork, makePair, offer } from "../Agents.js"
import { connectPeer, makePeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }
const now = Effect.clockWith((clock) => clock.currentTimeMillis)
const short: UserAgentOptions = { session: { expires: "90 seconds" } }
const timer = [["supported", "timer"], ["session-expires", "90;refresher=uas"]] as const

describe("a session timer", () => {
  virtualTest(
    "is agreed, and the caller refreshes it by UPDATE for as long as the call lasts",
    () =>
      Effect.gen(function*() {
        const { atCaller, left, namesOf, right } = yield* connect({ caller: short })
        yield* Effect.sleep("5 minutes")
        assert.strictEqual(namesOf(caller).filter((name) => name === "UPDATE").length, 6)
        assert.strictEqual(namesOf(callee).filter((name) => name === "UPDATE").length, 0)
        yield* atCaller.bye()
        yield* Effect.sleep("33 seconds")
        assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
      })
  )

  for (const [died, survivor, ends] of [["caller", callee, "atCallee"], ["callee", caller, "atCaller"]] as const) {
    virtualTest(`ends the call by itself when the process of the ${died} has died`, () =>
      Effect.gen(function*() {
        const { cut, left, right, ...calls } = yield* connect({ caller: short, callee: short })
        yield* Effect.sleep("50 seconds")
        cut(survivor === callee ? caller : callee, true)
        const ended = yield* calls[ends].ended
        assert.strictEqual(ended.by, "fault")
        assert.isBelow(yield* now, 150_000)
        yield* Effect.sleep("40 seconds")
        const agent = survivor === callee ? right : left
        assert.deepStrictEqual(agent.counts(), none)
      }))
  }

  virtualTest(
    "is refreshed by re-INVITE with the present description where the other side has no UPDATE",
    () =>
      Effect.gen(function*() {
        const { invite, peer } = yield* connectPeer({ headers: [["session-expires", "100;refresher=uac"]] })
        assert.strictEqual(header(invite, "session-expires"), "1800")
        const refresh = yield* peer.request("INVITE")
        assert.closeTo(yield* now, 50_000, 50)
        assert.strictEqual(new TextDecoder().decode(refresh.body), offer)
        assert.strictEqual(header(refresh, "session-expires"), "1800;refresher=uac")
      })
  )

  virtualTest("that the other side refreshes hangs up a third before its end", () =>
    Effect.gen(function*() {
      const { call, peer } = yield* connectPeer({ headers: timer })
      yield* peer.request("BYE")
      assert.closeTo(yield* now, 60_000, 50)
      assert.deepStrictEqual(yield* call.ended, { by: "fault", kind: "expired", cause: null })
    }))

  virtualTest("goes on with each refresh of the other side", () =>
    Effect.gen(function*() {
      const { call, dialog, peer } = yield* connectPeer({ headers: timer })
      for (let count = 0; count < 3; count++) {
        yield* Effect.sleep("40 seconds")
        yield* peer.send(caller, "UPDATE", {
          headers: [...dialog, ["supported", "timer"], ["session-expires", "90;refresher=uac"]]
        })
        assert.strictEqual(header(yield* peer.response(200), "session-expires"), "90;refresher=uac")
      }
      assert.deepStrictEqual(yield* call.ended, { by: "fault", kind: "expired", cause: null })
      assert.closeTo(yield* now, 180_000, 100)
    }))

  virtualTest("that is too short for the callee is lengthened (422)", () =>
    Effect.gen(function*() {
      const { atCaller, namesOf } = yield* connect({
        caller: short,
        callee: { session: { minimum: "3 minutes" } }
      })
      assert.deepStrictEqual(namesOf(caller), ["INVITE", "ACK", "INVITE", "ACK"])
      assert.deepStrictEqual(namesOf(callee), ["422", "100", "200"])
      yield* Effect.sleep("91 seconds")
      assert.strictEqual(namesOf(caller).at(-1), "UPDATE")
      yield* atCaller.bye()
    }))

  virtualTest("is tried again when a refresh fails, and ends the call at its end", () =>
    Effect.gen(function*() {
      const { call, peer } = yield* connectPeer({
        headers: [["allow", "UPDATE"], ["session-expires", "90;refresher=uac"]]
      })
      for (const at of [45_000, 55_000, 65_000, 75_000]) {
        yield* peer.respond(caller, yield* peer.request("UPDATE"), 500)
        assert.closeTo(yield* now, at, 200)
      }
      assert.deepStrictEqual(yield* call.ended, { by: "fault", kind: "expired", cause: null })
      assert.closeTo(yield* now, 90_000, 50)
    }))

  virtualTest("is refreshed by the callee where the caller asks for it, or cannot do it", () =>
    Effect.gen(function*() {
      const { incoming, ...network } = yield* makePair()
      const peer = yield* makePeer(network, "192.0.2.3")
      const invite = (headers: ReadonlyArray<readonly [string, string]>) =>
        Effect.gen(function*() {
          yield* peer.send(callee, "INVITE", { body: offer, headers })
          yield* Effect.asVoid(inBackground(Effect.flatMap(Queue.take(incoming), (call) => call.accept(answer))))
          const response = yield* peer.response(200)
          return [header(response, "session-expires"), header(response, "require")]
        })
      const timerHeaders = [["supported", "timer"], ["session-expires", "300;refresher=uas"]] as const
      assert.deepStrictEqual(yield* invite([["call-id", "1"], ...timerHeaders]), ["300;refresher=uas", undefined])
      const unable = ["session-expires", "300"] as const
      assert.deepStrictEqual(yield* invite([["call-id", "2"], unable]), ["300;refresher=uas", undefined])
      const open = ["supported", "timer"] as const
      assert.deepStrictEqual(yield* invite([["call-id", "3"], open]), ["1800;refresher=uac", "timer"])
      assert.deepStrictEqual(yield* invite([["call-id", "4"]]), [undefined, undefined])
    }))

  virtualTest("is not needed: a side without it has a call without it", () =>
    Effect.gen(function*() {
      const { call, namesOf } = yield* connectPeer()
      yield* Effect.sleep("2 hours")
      assert.deepStrictEqual(namesOf(caller), ["INVITE", "ACK"])
      yield* Effect.asVoid(inBackground(call.bye()))
    }))
})

describe("a call to a network that has died", () => {
  virtualTest("is over on our side after the BYE was not confirmed", () =>
    Effect.gen(function*() {
      const { atCaller, cut, left } = yield* connect()
      cut(callee, true)
      yield* atCaller.bye()
      assert.deepStrictEqual(left.counts(), none)
      assert.closeTo(yield* now, 32_000, 100)
      const network = yield* makeNetwork()
      const agent = yield* network.agent(caller)
      const failure = yield* Effect.flip(agent.invite({ ...invitation, target: "sip:someone@nowhere.example" }))
      assert.strictEqual(failure.kind, "unresolved")
    }))
})
