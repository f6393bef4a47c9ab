import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Fiber, Queue } from "effect"
import { answer, callee, caller, inBackground, invitation, makeNetwork, makePair } from "../Agents.js"
import { makePeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }
const refused = { phrase: "", cause: null, retryAfter: null }

/** A caller, and a peer that is called. */
const calling = Effect.gen(function*() {
  const network = yield* makeNetwork()
  const agent = yield* network.agent(caller)
  const peer = yield* makePeer(network, callee)
  return { ...network, agent, peer }
})

describe("a call that is cancelled", () => {
  virtualTest("stops ringing on both sides", () =>
    Effect.gen(function*() {
      const { incoming, left, namesOf, right } = yield* makePair()
      const outgoing = yield* left.invite(invitation)
      const call = yield* Queue.take(incoming)
      yield* call.ring()
      yield* Effect.sleep("5 seconds")
      yield* outgoing.cancel
      yield* outgoing.cancel
      yield* call.cancelled
      const rejected = yield* Effect.flip(outgoing.answered)
      assert.deepInclude(rejected, { kind: "cancelled", status: 487, rang: true })
      assert.strictEqual((yield* Effect.flip(call.accept(answer))).kind, "cancelled")
      assert.deepStrictEqual(namesOf(caller), ["INVITE", "CANCEL", "ACK"])
      assert.deepStrictEqual(namesOf(callee), ["100", "180", "200", "487"])
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
    }))

  virtualTest("is cancelled by itself after its ring timeout", () =>
    Effect.gen(function*() {
      const { left } = yield* makePair()
      const outgoing = yield* left.invite({ ...invitation, ringTimeout: "30 seconds" })
      const rejected = yield* Effect.flip(outgoing.answered)
      assert.deepInclude(rejected, { kind: "unanswered", status: 487, rang: false })
      assert.strictEqual(yield* Effect.clockWith((clock) => clock.currentTimeMillis), 30_010)
    }))

  virtualTest("is not told so before its first response (RFC 3261, section 9.1)", () =>
    Effect.gen(function*() {
      const { agent, namesOf, peer } = yield* calling
      const placing = yield* Effect.fork(agent.invite(invitation))
      const invite = yield* peer.request("INVITE")
      yield* Fiber.interrupt(placing)
      yield* Effect.sleep("300 millis")
      assert.deepStrictEqual(namesOf(caller), ["INVITE"])
      yield* peer.respond(caller, invite, 180)
      const cancel = yield* peer.request("CANCEL")
      const topOf = (request: typeof cancel) => request.headers.find(([name]) => name === "via")
      assert.deepStrictEqual(topOf(cancel), topOf(invite))
      yield* peer.respond(caller, cancel, 200)
      yield* peer.respond(caller, invite, 487)
      yield* peer.request("ACK")
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual(agent.counts(), none)
    }))

  virtualTest("is over 32 seconds after the CANCEL when the other side never says so", () =>
    Effect.gen(function*() {
      const { agent, peer } = yield* calling
      const placing = yield* inBackground(agent.invite(invitation))
      yield* peer.respond(caller, yield* peer.request("INVITE"), 180)
      const outgoing = yield* placing
      yield* outgoing.cancel
      yield* peer.respond(caller, yield* peer.request("CANCEL"), 200)
      const from = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const rejected = yield* Effect.flip(outgoing.answered)
      assert.deepInclude(rejected, { ...refused, kind: "cancelled", status: null, rang: true })
      assert.closeTo((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - from, 32_000, 10)
      yield* Effect.sleep("5 seconds")
      assert.deepStrictEqual(agent.counts(), none)
    }))

  virtualTest("is hung up when its answer crosses the CANCEL", () =>
    Effect.gen(function*() {
      const { agent, peer } = yield* calling
      const placing = yield* inBackground(agent.invite(invitation))
      const invite = yield* peer.request("INVITE")
      yield* peer.respond(caller, invite, 180)
      const outgoing = yield* placing
      yield* outgoing.cancel
      yield* peer.respond(caller, invite, 200, { body: answer })
      yield* peer.respond(caller, yield* peer.request("CANCEL"), 481)
      yield* peer.request("ACK")
      yield* peer.respond(caller, yield* peer.request("BYE"), 200)
      assert.deepInclude(yield* Effect.flip(outgoing.answered), { kind: "cancelled", status: 200 })
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual(agent.counts(), none)
    }))

  virtualTest("stays answered when the CANCEL comes too late", () =>
    Effect.gen(function*() {
      const { incoming, left } = yield* makePair()
      const outgoing = yield* left.invite(invitation)
      const call = yield* Queue.take(incoming)
      const atCallee = yield* call.accept(answer)
      yield* outgoing.cancel
      const rejected = yield* Effect.flip(outgoing.answered)
      assert.deepInclude(rejected, { kind: "cancelled", status: 200 })
      assert.deepStrictEqual(yield* atCallee.ended, { by: "remote", kind: "bye", cause: null })
    }))

  virtualTest("is not cancelled once it was answered", () =>
    Effect.gen(function*() {
      const { incoming, left, namesOf } = yield* makePair()
      const outgoing = yield* left.invite(invitation)
      yield* Effect.flatMap(Queue.take(incoming), (call) => call.accept(answer))
      const call = yield* outgoing.answered
      yield* outgoing.cancel
      yield* Effect.sleep("1 second")
      yield* call.bye()
      assert.deepStrictEqual(namesOf(caller), ["INVITE", "ACK", "BYE"])
    }))
})

describe("a CANCEL", () => {
  virtualTest("of an unknown call gets 481, and of one that was refused 200", () =>
    Effect.gen(function*() {
      const network = yield* makeNetwork()
      yield* network.agent(callee)
      const peer = yield* makePeer(network, caller)
      yield* peer.send(callee, "CANCEL")
      yield* peer.response(481)
      const invite = yield* peer.send(callee, "INVITE")
      yield* peer.response(480)
      const via = invite.headers.filter(([name]) => name === "via")
      yield* peer.send(callee, "CANCEL", { headers: [...via, ["cseq", "2 CANCEL"]] })
      yield* peer.response(200)
      assert.isFalse(network.namesOf(callee).includes("487"))
    }))

  virtualTest("of RFC 2543, without a unique branch, finds its INVITE", () =>
    Effect.gen(function*() {
      const { incoming, ...network } = yield* makePair()
      const peer = yield* makePeer(network, "192.0.2.3")
      const via = ["via", "SIP/2.0/UDP 192.0.2.3;branch=1"] as const
      yield* peer.send(callee, "INVITE", { headers: [via, ["cseq", "1 INVITE"]] })
      const call = yield* Queue.take(incoming)
      yield* peer.send(callee, "CANCEL", { headers: [via, ["cseq", "1 CANCEL"]] })
      yield* call.cancelled
      const refusal = yield* peer.response(487)
      const to = refusal.headers.filter(([name]) => name === "to")
      yield* peer.send(callee, "ACK", { headers: [via, ...to, ["cseq", "1 ACK"]] })
      yield* Effect.sleep("10 seconds")
      assert.deepStrictEqual(network.right.counts(), { transactions: 1, calls: 0 })
      yield* Effect.sleep("30 seconds")
      assert.deepStrictEqual(network.right.counts(), none)
    }))
})

describe("a user agent that closes", () => {
  virtualTest(
    "hangs up answered calls, cancels ringing ones and refuses those that come in",
    () =>
      Effect.gen(function*() {
        const { incoming, left, ...network } = yield* makePair()
        const third = "192.0.2.3"
        const ended = yield* Effect.scoped(Effect.gen(function*() {
          const closing = yield* network.agent(third, { incoming: () => Effect.never })
          const answered = yield* closing.invite(invitation)
          const atCallee = yield* Effect.flatMap(Queue.take(incoming), (call) => call.accept(answer))
          const call = yield* answered.answered
          const ringing = yield* closing.invite(invitation)
          const rung = yield* Queue.take(incoming)
          const comes = yield* left.invite({ ...invitation, target: `sip:agent@${third}` })
          return { closing, atCallee, call, ringing, rung, comes }
        }))
        assert.deepStrictEqual(yield* ended.call.ended, { by: "closed", kind: "closed", cause: null })
        assert.deepStrictEqual(yield* ended.atCallee.ended, { by: "remote", kind: "bye", cause: null })
        assert.strictEqual((yield* Effect.flip(ended.ringing.answered)).kind, "closed")
        yield* ended.rung.cancelled
        assert.deepInclude(yield* Effect.flip(ended.comes.answered), { kind: "refused", status: 503 })
        assert.strictEqual((yield* Effect.flip(ended.closing.invite(invitation))).kind, "closed")
      })
  )

  virtualTest("waits 2 seconds for a side that is silent, and no longer", () =>
    Effect.gen(function*() {
      const { cut, incoming, ...network } = yield* makePair()
      yield* Effect.scoped(Effect.gen(function*() {
        const closing = yield* network.agent("192.0.2.3")
        const outgoing = yield* closing.invite(invitation)
        yield* Effect.flatMap(Queue.take(incoming), (call) => call.accept(answer))
        yield* outgoing.answered
        cut(callee, true)
      }))
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      assert.closeTo(now, 2_000, 50)
    }))

  virtualTest("leaves nobody waiting", () =>
    Effect.gen(function*() {
      const { cut, incoming, ...network } = yield* makePair()
      const waiting = yield* Effect.scoped(Effect.gen(function*() {
        const closing = yield* network.agent("192.0.2.3")
        const outgoing = yield* closing.invite(invitation)
        yield* Effect.flatMap(Queue.take(incoming), (call) => call.accept(answer))
        const call = yield* outgoing.answered
        const ringing = yield* closing.invite(invitation)
        cut(callee, true)
        return {
          placing: yield* inBackground(Effect.flip(closing.invite(invitation))),
          ringing: yield* inBackground(Effect.flip(ringing.answered)),
          pressing: yield* inBackground(Effect.flip(call.press("1"))),
          offering: yield* inBackground(Effect.flip(call.reinvite("new"))),
          hangingUp: yield* inBackground(call.bye())
        }
      }))
      assert.strictEqual((yield* waiting.placing).kind, "closed")
      assert.strictEqual((yield* waiting.ringing).kind, "closed")
      assert.strictEqual((yield* waiting.pressing).kind, "transport")
      assert.strictEqual((yield* waiting.offering).kind, "ended")
      yield* waiting.hangingUp
    }))
})
