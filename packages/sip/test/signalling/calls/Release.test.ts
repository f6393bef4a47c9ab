import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { header } from "@trunkline/sip"
import { Effect, Fiber, Queue } from "effect"
import { answer, callee, caller, connect, inBackground, invitation, makeNetwork, makePair } from "../Agents.js"
import { makePeer } from "../Peer.js"

const numberOf = (cseq: string | undefined) => Number(cseq?.split(" ")[0])

/** A caller whose INVITE rings at a peer, and a later user agent at its address. */
const restartWhileRinging = (admitLateAnswer = false) =>
  Effect.gen(function*() {
    const network = yield* makeNetwork()
    const gone = yield* network.agent(caller)
    const peer = yield* makePeer(network, callee)
    const placing = yield* inBackground(gone.invite(invitation))
    const invite = yield* peer.request("INVITE")
    yield* peer.respond(caller, invite, 180)
    const outgoing = yield* placing
    const agent = yield* network.agent(caller, { admitLateAnswer: () => admitLateAnswer })
    return { ...network, agent, peer, invite, signalling: outgoing.signalling() }
  })

describe("a call of a user agent that is gone", () => {
  virtualTest("stops ringing", () =>
    Effect.gen(function*() {
      const pair = yield* makePair()
      const outgoing = yield* pair.left.invite(invitation)
      const call = yield* Queue.take(pair.incoming)
      yield* call.ring()
      const agent = yield* pair.agent(caller)
      yield* agent.release(outgoing.signalling())
      yield* call.cancelled
      assert.deepStrictEqual(pair.namesOf(caller), ["INVITE", "CANCEL", "ACK"])
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual(agent.counts(), { transactions: 0, calls: 0 })
    }))

  virtualTest("is hung up when its answer crosses the CANCEL", () =>
    Effect.gen(function*() {
      const { agent, invite, peer, signalling } = yield* restartWhileRinging()
      const releasing = yield* Effect.fork(agent.release(signalling))
      yield* peer.respond(caller, yield* peer.request("CANCEL"), 200)
      yield* peer.respond(caller, invite, 200, { body: answer, headers: [["contact", `<sip:${callee}>`]] })
      yield* peer.request("ACK")
      const bye = yield* peer.request("BYE")
      yield* peer.respond(caller, bye, 200)
      yield* Fiber.join(releasing)
      assert.strictEqual(header(bye, "call-id"), header(invite, "call-id"))
    }))

  virtualTest("is given up when the other side says nothing", () =>
    Effect.gen(function*() {
      const { agent, peer, signalling } = yield* restartWhileRinging()
      const releasing = yield* Effect.fork(agent.release(signalling))
      yield* peer.respond(caller, yield* peer.request("CANCEL"), 200)
      yield* Fiber.join(releasing)
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual(agent.counts(), { transactions: 0, calls: 0 })
    }))

  for (const side of ["atCaller", "atCallee"] as const) {
    virtualTest(
      `is hung up ${side === "atCaller" ? "by its caller" : "by the side that was called"}`,
      () =>
        Effect.gen(function*() {
          const pair = yield* connect({ handlers: {} })
          const signalling = pair[side].signalling()
          const other = side === "atCaller" ? pair.atCallee : pair.atCaller
          // The signalling that was kept is older than these.
          yield* Effect.ignore(pair[side].press("1"))
          yield* Effect.ignore(pair[side].press("2"))
          const agent = yield* pair.agent(side === "atCaller" ? caller : callee)
          yield* agent.release(signalling)
          assert.deepInclude(yield* other.ended, { by: "remote", kind: "bye" })
          const requests = pair.sent.flatMap(({ message }) => message._tag === "Request" ? [message] : [])
          const bye = requests.find(({ method }) => method === "BYE")
          const infos = requests.filter(({ method }) => method === "INFO").map((info) => numberOf(header(info, "cseq")))
          assert.isAbove(numberOf(bye && header(bye, "cseq")), Math.max(...infos))
        })
    )
  }

  virtualTest("is left alone when its signalling cannot be read", () =>
    Effect.gen(function*() {
      const { agent, namesOf } = yield* restartWhileRinging()
      for (const signalling of ["", "{}", "{\"_tag\":\"Talking\"}"]) yield* agent.release(signalling)
      assert.deepStrictEqual(namesOf(caller), ["INVITE"])
    }))
})

describe("an answer to an INVITE of a user agent that is gone", () => {
  const answered = (admitLateAnswer: boolean) =>
    Effect.gen(function*() {
      const world = yield* restartWhileRinging(admitLateAnswer)
      yield* world.peer.respond(caller, world.invite, 200, { headers: [["contact", `<sip:${callee}>`]] })
      yield* Effect.sleep("1 second")
      return world
    })

  virtualTest("is acknowledged and hung up where its source is admitted", () =>
    Effect.gen(function*() {
      const { namesOf, peer } = yield* answered(true)
      assert.deepStrictEqual(namesOf(caller), ["INVITE", "ACK", "BYE"])
      const ack = yield* peer.request("ACK")
      const bye = yield* peer.request("BYE")
      assert.strictEqual(numberOf(header(bye, "cseq")), numberOf(header(ack, "cseq")) + 1)
      assert.include(header(bye, "to"), "tag=")
    }))

  virtualTest("gets no word where it is not", () =>
    Effect.gen(function*() {
      const { namesOf } = yield* answered(false)
      assert.deepStrictEqual(namesOf(caller), ["INVITE"])
    }))

  virtualTest(
    "leaves a call that goes on in peace, though a copy of its answer comes late",
    () =>
      Effect.gen(function*() {
        const network = yield* makeNetwork()
        const agent = yield* network.agent(caller, { admitLateAnswer: () => true })
        const peer = yield* makePeer(network, callee)
        const placing = yield* inBackground(agent.invite(invitation))
        const invite = yield* peer.request("INVITE")
        const accept = peer.respond(caller, invite, 200, { body: answer, headers: [["contact", `<sip:${callee}>`]] })
        yield* accept
        yield* (yield* placing).answered
        yield* Effect.sleep("60 seconds")
        yield* accept
        yield* Effect.sleep("1 second")
        assert.notInclude(network.namesOf(caller), "BYE")
        assert.strictEqual(agent.counts().calls, 1)
      })
  )
})
