import { assert, describe, it } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { header } from "@trunkline/sip"
import { Effect, Fiber, Queue, TestClock } from "effect"
import { answer, callee, caller, connect, inBackground, invitation, makeNetwork, makePair, offer } from "../Agents.js"
import { connectPeer, makePeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }

/** A call of a peer that is answered, with the BYE that the agent sends to it. */
const hangUpOn = (contact: string, record?: string) =>
  Effect.gen(function*() {
    const { incoming, ...network } = yield* makePair()
    const peer = yield* makePeer(network, "203.0.113.9")
    const way: Array<string> = []
    network.observe((_, to, bytes) => {
      if (new TextDecoder().decode(bytes).startsWith("BYE")) way.push(to.host)
    })
    const routes = record === undefined ? [] : [["record-route", record] as const]
    yield* peer.send(callee, "INVITE", { body: offer, headers: [["contact", contact], ...routes] })
    const call = yield* Effect.flatMap(Queue.take(incoming), (one) => one.accept(answer))
    const to = (yield* peer.response(200)).headers.filter(([name]) => name === "to")
    yield* peer.send(callee, "ACK", { headers: [...to, ["cseq", "1 ACK"]] })
    yield* Effect.asVoid(inBackground(call.bye()))
    yield* Effect.sleep("10 millis")
    return way
  })

describe("the way of a call", () => {
  for (
    const [protocol, left, right] of [["tcp", caller, callee], ["tls", caller, callee], [
      "udp",
      "2001:db8::1",
      "2001:db8::2"
    ]] as const
  ) {
    virtualTest(`goes over ${protocol} between ${left} and ${right}`, () =>
      Effect.gen(function*() {
        const { incoming: _, ...network } = yield* makePair()
        const calling = yield* network.agent(left)
        const called = yield* network.agent(right, { incoming: (call) => Effect.ignore(call.accept(answer)) })
        const host = right.includes(":") ? `[${right}]` : right
        const outgoing = yield* calling.invite({ ...invitation, target: `sip:agent@${host};transport=${protocol}` })
        const call = yield* outgoing.answered
        const contact = header(
          network.sent[0]?.message ?? { _tag: "Request", method: "", uri: "", headers: [], body: new Uint8Array() },
          "contact"
        )
        assert.include(contact, left.includes(":") ? `[${left}]:5060` : `${left}:5060;transport=${protocol}`)
        yield* call.bye()
        yield* Effect.sleep("33 seconds")
        assert.deepStrictEqual([calling.counts(), called.counts()], [none, none])
      }))
  }

  virtualTest(
    "back to a caller behind a NAT is where its INVITE came from, unless a proxy stays on the way",
    () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* hangUpOn("<sip:peer@192.168.1.7:5066>"), ["203.0.113.9"])
        assert.deepStrictEqual(yield* hangUpOn("<sip:peer@198.51.100.7>"), ["198.51.100.7"])
        const proxied = yield* hangUpOn("<sip:peer@192.168.1.7:5066>", "<sip:203.0.113.1;lr>")
        assert.deepStrictEqual(proxied, ["203.0.113.1"])
      })
  )

  virtualTest(
    "to a callee behind a NAT is where its INVITE went, and with latch that of any callee",
    () =>
      Effect.gen(function*() {
        /** Hosts to which our ACK and BYE go when a callee has this Contact. */
        const waysTo = (contact: string, latch: boolean) =>
          Effect.gen(function*() {
            const network = yield* makeNetwork({ delay: [0, 0] })
            const agent = yield* network.agent("203.0.113.8")
            const peer = yield* makePeer(network, "203.0.113.9")
            const hosts: Array<string> = []
            network.observe((from, to) => from === "203.0.113.8" && hosts.push(to.host))
            const outgoing = yield* Effect.fork(agent.invite({ ...invitation, target: "sip:agent@203.0.113.9", latch }))
            const invite = yield* peer.request("INVITE")
            yield* peer.respond("203.0.113.8", invite, 200, { headers: [["contact", contact]], body: answer })
            const call = yield* Effect.flatMap(Fiber.join(outgoing), ({ answered }) => answered)
            yield* Effect.asVoid(inBackground(call.bye()))
            yield* Effect.sleep("10 millis")
            return hosts.slice(1)
          })
        const addresses = ["203.0.113.9", "203.0.113.9"]
        assert.deepStrictEqual(yield* waysTo("<sip:peer@192.168.1.7:5066>", false), addresses)
        assert.deepStrictEqual(yield* waysTo("<sip:peer@198.51.100.7>", false), ["198.51.100.7", "198.51.100.7"])
        assert.deepStrictEqual(yield* waysTo("<sip:peer@198.51.100.7>", true), addresses)
      })
  )

  virtualTest("back to a caller that connected is its connection", () =>
    Effect.gen(function*() {
      const connections: Array<string | undefined> = []
      const { incoming: _, ...network } = yield* makePair()
      network.observe((_from, to) => connections.push(to.connection))
      const calling = yield* network.agent("192.0.2.3")
      const called = yield* Queue.unbounded<void>()
      yield* network.agent("192.0.2.4", {
        incoming: (call) =>
          Effect.gen(function*() {
            const answered = yield* call.accept(answer)
            yield* Effect.sleep("1 second")
            yield* answered.bye()
            yield* Queue.offer(called, undefined)
          }).pipe(Effect.ignore)
      })
      yield* calling.invite({ ...invitation, target: "sip:agent@192.0.2.4;transport=tcp" })
      yield* Queue.take(called)
      const [invite, trying, answered, ack, bye] = connections
      assert.deepStrictEqual([invite, ack], [undefined, undefined])
      assert.isDefined(trying)
      assert.deepStrictEqual([answered, bye], [trying, trying])
    }))

  virtualTest("is not taken with a URI that is none", () =>
    Effect.gen(function*() {
      const { left, sent } = yield* makePair()
      const whyOf = (options: Partial<typeof invitation>) =>
        Effect.map(Effect.flip(left.invite({ ...invitation, ...options })), ({ kind }) => kind)
      assert.strictEqual(yield* whyOf({ target: "sip:a@b>\r\nx: y" }), "malformed")
      assert.strictEqual(yield* whyOf({ from: { uri: "1001" } }), "malformed")
      assert.strictEqual(yield* whyOf({ target: "sips:a@192.0.2.2;transport=udp" }), "unresolved")
      assert.strictEqual(yield* whyOf({ target: "tel:+4930123456" }), "unresolved")
      assert.strictEqual(sent.length, 0)
    }))

  virtualTest(
    "of a telephone number leads over the next hop, with an escaped name and further headers",
    () =>
      Effect.gen(function*() {
        const { incoming, left } = yield* makePair()
        yield* left.invite({
          ...invitation,
          target: "tel:+4930123456",
          from: { uri: "tel:+49301", displayName: "A \"B\"\r\nC" },
          nextHop: { host: callee },
          headers: [["p-asserted-identity", "<tel:+49301>"], ["call-id", "mine"]]
        })
        const { callId, request } = yield* Queue.take(incoming)
        assert.strictEqual(request.uri, "tel:+4930123456")
        assert.match(header(request, "from") ?? "", /^"A \\"B\\" C" <tel:\+49301>;tag=/)
        assert.strictEqual(header(request, "contact"), `<sip:+49301@${caller}:5060>`)
        assert.strictEqual(header(request, "p-asserted-identity"), "<tel:+49301>")
        assert.notStrictEqual(callId, "mine")
      })
  )
})

describe("the present offer again", () => {
  virtualTest("is answered with the present description, without the handler", () =>
    Effect.gen(function*() {
      const { atCallee, atCaller } = yield* connect()
      assert.strictEqual(yield* atCallee.reinvite(answer), offer)
      yield* atCaller.bye()
      const { dialog, peer } = yield* connectPeer()
      yield* peer.send(caller, "INVITE", { headers: dialog })
      assert.strictEqual(new TextDecoder().decode((yield* peer.response(200)).body), offer)
    }))
})

describe("a call on a clock that only sleeps", () => {
  it.scoped("has the same timers", () =>
    Effect.gen(function*() {
      const { left, sent } = yield* makePair()
      const placing = yield* Effect.fork(Effect.flip(left.invite({ ...invitation, target: "sip:a@192.0.2.9" })))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(sent.length, 6)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(placing)).kind, "timeout")
      assert.deepStrictEqual(left.counts(), none)
    }))
})
