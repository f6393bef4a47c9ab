import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Fiber } from "effect"
import { answer, callee, caller, inBackground, invitation, makeNetwork } from "../Agents.js"
import { makePeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }

/** A caller that has given up a call after 9 s without a response, its peer, and the INVITE that the peer has. */
const afterVerdict = Effect.gen(function*() {
  const network = yield* makeNetwork()
  const agent = yield* network.agent(caller)
  const peer = yield* makePeer(network, callee)
  const placing = yield* Effect.fork(agent.invite(invitation))
  const invite = yield* peer.request("INVITE")
  yield* Effect.sleep("9 seconds")
  yield* Fiber.interrupt(placing)
  return { ...network, agent, peer, invite }
})

const five = ["INVITE", "INVITE", "INVITE", "INVITE", "INVITE"]

describe("a call that was given up before any response", () => {
  virtualTest("sends no further INVITE", () =>
    Effect.gen(function*() {
      const { agent, namesOf } = yield* afterVerdict
      yield* Effect.sleep("10 minutes")
      assert.deepStrictEqual(namesOf(caller), five)
      assert.deepStrictEqual(agent.counts(), none)
    }))

  for (const late of ["10 seconds", "100 seconds"] as const) {
    virtualTest(`is cancelled when the other side begins to ring after ${late}`, () =>
      Effect.gen(function*() {
        const { agent, invite, namesOf, peer } = yield* afterVerdict
        yield* Effect.sleep(late)
        yield* peer.respond(caller, invite, 100)
        yield* peer.respond(caller, invite, 180)
        const cancel = yield* peer.request("CANCEL")
        yield* peer.respond(caller, cancel, 200)
        yield* peer.respond(caller, invite, 487)
        yield* peer.request("ACK")
        yield* Effect.sleep("4 minutes")
        assert.deepStrictEqual(namesOf(caller), [...five, "CANCEL", "ACK"])
        assert.deepStrictEqual(agent.counts(), none)
      }))

    virtualTest(`is hung up when the other side answers after ${late}`, () =>
      Effect.gen(function*() {
        const { agent, invite, namesOf, peer } = yield* afterVerdict
        yield* Effect.sleep(late)
        yield* peer.respond(caller, invite, 200, { body: answer })
        yield* peer.request("ACK")
        yield* peer.respond(caller, yield* peer.request("BYE"), 200)
        yield* Effect.sleep("4 minutes")
        assert.deepStrictEqual(namesOf(caller), [...five, "ACK", "BYE"])
        assert.deepStrictEqual(agent.counts(), none)
      }))
  }

  virtualTest("has a late refusal acknowledged", () =>
    Effect.gen(function*() {
      const { agent, invite, namesOf, peer } = yield* afterVerdict
      yield* peer.respond(caller, invite, 503)
      yield* peer.request("ACK")
      yield* Effect.sleep("4 minutes")
      assert.deepStrictEqual(namesOf(caller), [...five, "ACK"])
      assert.deepStrictEqual(agent.counts(), none)
    }))
})

describe("a call without a response until its ring timeout", () => {
  virtualTest("fails then, and sends no further INVITE", () =>
    Effect.gen(function*() {
      const network = yield* makeNetwork()
      const agent = yield* network.agent(caller)
      yield* makePeer(network, callee)
      const failed = yield* Effect.flip(agent.invite({ ...invitation, ringTimeout: "5 seconds" }))
      assert.strictEqual(failed.kind, "timeout")
      assert.strictEqual(yield* Effect.clockWith((clock) => clock.currentTimeMillis), 5_000)
      yield* Effect.sleep("4 minutes")
      assert.deepStrictEqual(network.namesOf(caller), five.slice(1))
      assert.deepStrictEqual(agent.counts(), none)
    }))
})

describe("a call that is cancelled while its INVITE with credentials has no response", () => {
  virtualTest("fails within 32 seconds", () =>
    Effect.gen(function*() {
      const network = yield* makeNetwork()
      const agent = yield* network.agent(caller)
      const peer = yield* makePeer(network, callee)
      const credentials = { username: "trunk", password: "secret" }
      const placing = yield* inBackground(agent.invite({ ...invitation, credentials }))
      const first = yield* peer.request("INVITE")
      yield* peer.respond(caller, first, 100)
      const outgoing = yield* placing
      const challenge = `Digest realm="trunk", nonce="one", qop="auth"`
      yield* peer.respond(caller, first, 401, { headers: [["www-authenticate", challenge]] })
      yield* peer.request("INVITE")
      yield* outgoing.cancel
      const rejected = yield* Effect.flip(outgoing.answered)
      assert.deepInclude(rejected, { kind: "cancelled", status: null, rang: false })
      assert.isAtMost(yield* Effect.clockWith((clock) => clock.currentTimeMillis), 32_100)
      yield* Effect.sleep("4 minutes")
      assert.deepStrictEqual(network.namesOf(caller), ["INVITE", "ACK", "INVITE"])
      assert.deepStrictEqual(agent.counts(), none)
    }))
})
