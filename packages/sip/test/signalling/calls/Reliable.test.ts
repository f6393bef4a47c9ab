import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { header, headers } from "@trunkline/sip"
import { Deferred, Effect } from "effect"
import { answer, callee, caller, inBackground, invitation, makeNetwork, makePair } from "../Agents.js"
import { makePeer } from "../Peer.js"

const contact = ["contact", `<sip:${callee}>`] as const

/** Headers of a provisional response that is to be acknowledged, by its number. */
const reliable = (number: number) => [contact, ["require", "100rel"] as const, ["rseq", `${number}`] as const]

const numberOf = (cseq: string | undefined) => Number(cseq?.split(" ")[0])

/** A caller whose INVITE has arrived at a peer. */
const calling = Effect.gen(function*() {
  const network = yield* makeNetwork()
  const agent = yield* network.agent(caller)
  const peer = yield* makePeer(network, callee)
  const placing = yield* inBackground(agent.invite(invitation))
  return { ...network, agent, peer, placing, invite: yield* peer.request("INVITE") }
})

describe("a provisional response that is sent reliably", () => {
  virtualTest(
    "is offered to be acknowledged, and is, by PRACK with its number and that of the INVITE",
    () =>
      Effect.gen(function*() {
        const { invite, peer, placing } = yield* calling
        assert.include(headers(invite, "supported"), "100rel")
        yield* peer.respond(caller, invite, 183, { headers: reliable(812), body: answer })
        const prack = yield* peer.request("PRACK")
        assert.strictEqual(header(prack, "rack"), `812 ${numberOf(header(invite, "cseq"))} INVITE`)
        assert.include(header(prack, "to"), "tag=")
        yield* peer.respond(caller, prack, 200)
        yield* peer.respond(caller, invite, 200, { headers: [contact] })
        const call = yield* (yield* placing).answered
        assert.strictEqual(call.remoteSdp(), answer)
        const ack = yield* peer.request("ACK")
        assert.strictEqual(numberOf(header(ack, "cseq")), numberOf(header(invite, "cseq")))
        yield* Effect.fork(call.bye())
        const bye = yield* peer.request("BYE")
        assert.isAbove(numberOf(header(bye, "cseq")), numberOf(header(prack, "cseq")))
        yield* peer.respond(caller, bye, 200)
      })
  )

  virtualTest(
    "is acknowledged once, however often it comes, and not before the one that it follows",
    () =>
      Effect.gen(function*() {
        const { invite, namesOf, peer } = yield* calling
        for (const number of [1, 1, 3, 2, 2, 3]) {
          yield* peer.respond(caller, invite, 180, { headers: reliable(number) })
          yield* Effect.sleep("100 millis")
        }
        const pracks = namesOf(caller).filter((name) => name === "PRACK")
        assert.isAtLeast(pracks.length, 3)
        const racks = new Set<string | undefined>()
        for (let count = 0; count < 3; count++) {
          const prack = yield* peer.request("PRACK")
          racks.add(header(prack, "rack"))
          yield* peer.respond(caller, prack, 200)
        }
        assert.isAtMost(racks.size, 3)
      })
  )

  virtualTest("that is none, or asks for nothing, is not acknowledged", () =>
    Effect.gen(function*() {
      const { invite, namesOf, peer, placing } = yield* calling
      yield* peer.respond(caller, invite, 180, { headers: [contact, ["rseq", "1"]] })
      yield* peer.respond(caller, invite, 183, { headers: [contact, ["require", "100rel"]] })
      yield* placing
      yield* Effect.sleep("1 second")
      assert.notInclude(namesOf(caller), "PRACK")
    }))
})

describe("a caller who needs reliable provisional responses", () => {
  virtualTest("is answered without any, and not refused", () =>
    Effect.gen(function*() {
      const takeSignal = yield* Deferred.make<void>()
      const pair = yield* makePair({
        callee: {
          incoming: (call) =>
            call.ring().pipe(
              Effect.zipRight(Effect.delay(call.accept(answer), "2 seconds")),
              Effect.ensuring(Deferred.succeed(takeSignal, undefined)),
              Effect.ignore
            )
        }
      })
      const outgoing = yield* pair.left.invite({ ...invitation, headers: [["require", "100rel"]] })
      yield* outgoing.answered
      yield* Deferred.await(takeSignal)
      const [invite] = pair.sent
      assert.deepStrictEqual(invite && headers(invite.message, "require"), ["100rel"])
      assert.notInclude(pair.namesOf(callee), "180")
      assert.notInclude(pair.namesOf(callee), "420")
    }))
})
