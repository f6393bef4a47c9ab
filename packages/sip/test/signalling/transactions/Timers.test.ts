import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Exit } from "effect"
import { callee, caller, connect, inBackground, invitation, makeNetwork, makePair } from "../Agents.js"
import { makePeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }

/** An agent and a peer that does what a test tells it. */
const withPeer = Effect.gen(function*() {
  const network = yield* makeNetwork()
  const agent = yield* network.agent(caller)
  const peer = yield* makePeer(network, callee)
  const timesOf = (host: string, name: string) =>
    network.sent.filter(({ from, message }) =>
      from === host && (message._tag === "Request" ? message.method : `${message.status}`) === name
    ).map(({ at }) => at)
  return { ...network, agent, peer, timesOf }
})

describe("an INVITE that is sent", () => {
  virtualTest(
    "is repeated with doubled pauses, and given up after 32 seconds (timers A and B)",
    () =>
      Effect.gen(function*() {
        const { agent, timesOf } = yield* withPeer
        const failure = yield* Effect.flip(agent.invite(invitation))
        assert.strictEqual(failure.kind, "timeout")
        assert.deepStrictEqual(timesOf(caller, "INVITE"), [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
        assert.strictEqual(yield* Effect.clockWith((clock) => clock.currentTimeMillis), 32_000)
        assert.deepStrictEqual(agent.counts(), none)
      })
  )

  virtualTest("is not repeated over TCP, nor after a provisional response", () =>
    Effect.gen(function*() {
      const { agent, peer, timesOf } = yield* withPeer
      const target = `sip:agent@${callee};transport=tcp`
      assert.strictEqual((yield* Effect.flip(agent.invite({ ...invitation, target }))).kind, "timeout")
      assert.strictEqual(timesOf(caller, "INVITE").length, 1)
      const waiting = yield* inBackground(agent.invite(invitation))
      yield* peer.take
      yield* peer.respond(caller, yield* peer.request("INVITE"), 100)
      yield* waiting
      yield* Effect.sleep("20 seconds")
      assert.strictEqual(timesOf(caller, "INVITE").length, 2)
    }))

  virtualTest("has each copy of its refusal acknowledged for 32 seconds (timer D)", () =>
    Effect.gen(function*() {
      const { agent, peer } = yield* withPeer
      const outcome = yield* inBackground(
        Effect.flatMap(agent.invite(invitation), ({ answered }) => Effect.flip(answered))
      )
      const invite = yield* peer.request("INVITE")
      yield* peer.respond(caller, invite, 486)
      const ack = yield* peer.request("ACK")
      assert.strictEqual((yield* outcome).status, 486)
      yield* Effect.sleep("30 seconds")
      yield* peer.respond(caller, invite, 486)
      assert.deepStrictEqual(yield* peer.request("ACK"), ack)
      yield* Effect.sleep("3 seconds")
      yield* peer.respond(caller, invite, 486)
      yield* Effect.sleep("1 second")
      assert.strictEqual((yield* peer.waiting).length, 0)
      assert.deepStrictEqual(agent.counts(), none)
    }))
})

describe("another request that is sent", () => {
  const options = { target: `sip:agent@${callee}`, from: `sip:someone@${caller}` }

  virtualTest(
    "is repeated with pauses up to 4 seconds, and given up after 32 (timers E and F)",
    () =>
      Effect.gen(function*() {
        const { agent, timesOf } = yield* withPeer
        assert.strictEqual((yield* Effect.flip(agent.options(options))).kind, "timeout")
        assert.deepStrictEqual(timesOf(caller, "OPTIONS"), [
          0,
          500,
          1_500,
          3_500,
          7_500,
          11_500,
          15_500,
          19_500,
          23_500,
          27_500,
          31_500
        ])
        assert.deepStrictEqual(agent.counts(), none)
      })
  )

  virtualTest(
    "is repeated every 4 seconds after a provisional response, and absorbs copies for 5 seconds (timer K)",
    () =>
      Effect.gen(function*() {
        const { agent, peer, timesOf } = yield* withPeer
        const outcome = yield* inBackground(agent.options(options))
        const request = yield* peer.request("OPTIONS")
        yield* peer.respond(caller, request, 100)
        yield* Effect.sleep("10 seconds")
        assert.deepStrictEqual(timesOf(caller, "OPTIONS"), [0, 500, 4_500, 8_500])
        yield* peer.respond(caller, request, 404)
        assert.strictEqual(yield* outcome, 404)
        assert.strictEqual(agent.counts().transactions, 1)
        yield* Effect.sleep("5 seconds")
        assert.strictEqual(agent.counts().transactions, 0)
      })
  )
})

describe("an INVITE that comes", () => {
  virtualTest(
    "has its refusal repeated until the ACK, at most 32 seconds (timers G and H)",
    () =>
      Effect.gen(function*() {
        const { agent, peer, timesOf } = yield* withPeer
        const invite = yield* peer.send(caller, "INVITE")
        yield* peer.response(480)
        yield* Effect.sleep("40 seconds")
        assert.deepStrictEqual(timesOf(caller, "480").map((at) => at - 5), [
          0,
          500,
          1_500,
          3_500,
          7_500,
          11_500,
          15_500,
          19_500,
          23_500,
          27_500,
          31_500
        ])
        assert.deepStrictEqual(agent.counts(), none)
        yield* peer.waiting
        yield* peer.resend(caller, invite)
        const refusal = yield* peer.response(480)
        const to = refusal.headers.filter(([name]) => name === "to")
        const via = invite.headers.filter(([name]) => name === "via")
        yield* peer.send(caller, "ACK", { headers: [...via, ...to, ["cseq", "1 ACK"]] })
        yield* Effect.sleep("3 seconds")
        assert.strictEqual((yield* peer.waiting).length, 0)
        assert.strictEqual(agent.counts().transactions, 1)
        yield* Effect.sleep("3 seconds")
        assert.deepStrictEqual(agent.counts(), none)
      })
  )

  virtualTest("gets the last response again when it is repeated", () =>
    Effect.gen(function*() {
      const { incoming: _, ...network } = yield* makePair()
      const peer = yield* makePeer(network, "192.0.2.3")
      const invite = yield* peer.send(callee, "INVITE", { body: "v=0" })
      yield* peer.response(100)
      yield* peer.resend(callee, invite)
      yield* peer.response(100)
      assert.strictEqual(network.right.counts().transactions, 1)
    }))
})

describe("another request that comes", () => {
  virtualTest("gets the same response again for 32 seconds (timer J)", () =>
    Effect.gen(function*() {
      const { atCaller, left, namesOf, network, right } = yield* Effect.map(
        connect(),
        (world) => ({ ...world, network: world })
      )
      yield* atCaller.bye()
      const bye = network.sent.filter(({ message }) => message._tag === "Request" && message.method === "BYE")
      const peer = yield* makePeer(network, caller)
      const [first] = bye
      yield* Effect.sleep("31 seconds")
      if (first !== undefined) yield* peer.resend(callee, first.message)
      yield* Effect.sleep("500 millis")
      assert.strictEqual(namesOf(callee).filter((name) => name === "200").length, 3)
      yield* Effect.sleep("1 seconds")
      assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
      if (first !== undefined) yield* peer.resend(callee, first.message)
      yield* Effect.sleep("1 seconds")
      assert.strictEqual(namesOf(callee).at(-1), "481")
    }))

  virtualTest("is refused with 503 while there are as many transactions as there may be", () =>
    Effect.gen(function*() {
      const network = yield* makeNetwork()
      const agent = yield* network.agent(caller, { maxTransactions: 1, incoming: () => Effect.never })
      const peer = yield* makePeer(network, callee)
      yield* peer.send(caller, "INVITE", { headers: [["call-id", "one"]] })
      yield* peer.response(100)
      yield* peer.send(caller, "INVITE", { headers: [["call-id", "two"]] })
      yield* peer.response(503)
      const placed = yield* Effect.exit(agent.invite(invitation))
      assert.isTrue(Exit.isFailure(placed))
      assert.deepStrictEqual(agent.counts(), { transactions: 1, calls: 1 })
    }))
})
