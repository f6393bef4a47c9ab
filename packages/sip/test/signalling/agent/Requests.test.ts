import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { header, headers } from "@trunkline/sip"
import { Effect, Option, Queue, Stream } from "effect"
import { answer, callee, caller, connect, inBackground, invitation, makePair, offer } from "../Agents.js"
import { connectPeer, makePeer } from "../Peer.js"

const third = "192.0.2.3"

/** A peer, and an agent that it calls. */
const called = Effect.gen(function*() {
  const pair = yield* makePair()
  return { ...pair, peer: yield* makePeer(pair, third) }
})

describe("a request outside of calls", () => {
  virtualTest("is refused as the RFCs say, and nothing of it is kept", () =>
    Effect.gen(function*() {
      const { incoming, peer, right } = yield* called
      const refusedWith = (
        status: number,
        ...[method, parts, uri]: [string, Parameters<typeof peer.send>[2]?, string?]
      ) => Effect.zipRight(peer.send(callee, method, parts, uri), peer.response(status))
      assert.include(headers(yield* refusedWith(405, "REGISTER"), "allow"), "INVITE")
      assert.include(headers(yield* refusedWith(405, "PUBLISH"), "allow"), "BYE")
      const extension = yield* refusedWith(420, "INVITE", {
        headers: [["require", "gruu"], ["require", "timer, 100rel"]]
      })
      assert.deepStrictEqual(headers(extension, "unsupported"), ["gruu"])
      const type = yield* refusedWith(415, "INVITE", { body: "x", headers: [["content-type", "text/plain"]] })
      assert.strictEqual(header(type, "accept"), "application/sdp")
      yield* refusedWith(415, "INVITE", {
        body: "v=0",
        headers: [["content-encoding", "gzip"], ["content-type", "application/sdp"]]
      })
      yield* refusedWith(416, "INVITE", {}, "http://example.org")
      yield* refusedWith(416, "INVITE", {}, "mailto:agent@example.org")
      yield* refusedWith(400, "INVITE", { headers: [["contact", "?"]] })
      yield* refusedWith(481, "BYE")
      yield* refusedWith(481, "INFO", { headers: [["to", "<sip:agent@example.org>;tag=unknown"]] })
      yield* refusedWith(481, "INVITE", { headers: [["to", "<sip:agent@example.org>;tag=unknown"]] })
      assert.deepStrictEqual(right.counts(), { transactions: 0, calls: 0 })
      assert.strictEqual(yield* Queue.size(incoming), 0)
    }))

  virtualTest(
    "that is a question about capabilities is answered without a transaction, with one tag for its copies",
    () =>
      Effect.gen(function*() {
        const { peer, right } = yield* called
        const request = yield* peer.send(callee, "OPTIONS")
        const first = yield* peer.response(200)
        assert.strictEqual(header(first, "supported"), "timer")
        assert.isDefined(header(first, "allow"))
        yield* peer.resend(callee, request)
        assert.strictEqual(header(yield* peer.response(200), "to"), header(first, "to"))
        assert.strictEqual(right.counts().transactions, 0)
      })
  )

  virtualTest("is not refused for Max-Forwards, which limits proxies", () =>
    Effect.gen(function*() {
      const { incoming, peer } = yield* called
      yield* peer.send(callee, "INVITE", { headers: [["max-forwards", "0"]], body: offer })
      assert.strictEqual((yield* Queue.take(incoming)).offer, offer)
    }))

  virtualTest("that comes on two ways is taken once (482)", () =>
    Effect.gen(function*() {
      const { incoming, peer } = yield* called
      const same = [["cseq", "7 INVITE"], ["call-id", "merged"]] as const
      yield* peer.send(callee, "INVITE", { headers: same, body: offer })
      yield* peer.send(callee, "INVITE", { headers: same, body: offer })
      yield* peer.response(482)
      assert.strictEqual(yield* Queue.size(incoming), 1)
    }))

  virtualTest("that is malformed gets 400, 505 for another version", () =>
    Effect.gen(function*() {
      const { incoming: _, ...network } = yield* makePair()
      const transport = network.attach(third)
      const responses = yield* Queue.unbounded<string>()
      yield* transport.listen(({ message }) =>
        void responses.unsafeOffer(Option.match(Option.getRight(message), {
          onNone: () => "",
          onSome: (message) => message._tag === "Response" ? `${message.status}` : ""
        }))
      )
      const to = { protocol: "udp" as const, host: callee, port: 5060 }
      const text = (version: string, length: number) =>
        [
          `INVITE sip:a@b ${version}`,
          `Via: SIP/2.0/UDP ${third};branch=z9hG4bK1`,
          "From: <sip:c@d>;tag=1",
          "To: <sip:a@b>",
          "Call-ID: 1",
          "CSeq: 1 INVITE",
          `Content-Length: ${length}`,
          "",
          ""
        ].join("\r\n")
      const raw = (version: string, length: number) =>
        transport.send(new TextEncoder().encode(text(version, length)), to, () => {})
      raw("SIP/2.0", 99)
      assert.strictEqual(yield* Queue.take(responses), "400")
      raw("SIP/7.0", 0)
      assert.strictEqual(yield* Queue.take(responses), "505")
    }))
})

describe("a request within a call", () => {
  virtualTest(
    "takes the way of the Record-Route headers, in the caller's order reversed",
    () =>
      Effect.gen(function*() {
        const routes = [["record-route", `<sip:${third};lr>`], ["record-route", `<sip:${callee};lr>`]] as const
        const { call, sent } = yield* connectPeer({ headers: routes })
        yield* Effect.asVoid(inBackground(call.bye()))
        yield* Effect.sleep("10 millis")
        const bye = sent.find(({ message }) => message._tag === "Request" && message.method === "BYE")?.message
        assert.deepStrictEqual(bye && headers(bye, "route"), [`<sip:${callee};lr>`, `<sip:${third};lr>`])
        assert.strictEqual(bye?._tag === "Request" && bye.uri, `sip:peer@${callee}`)
      })
  )

  virtualTest("gives a strict router the Request-URI, and names the target last", () =>
    Effect.gen(function*() {
      const { call, peer } = yield* connectPeer({ headers: [["record-route", `<sip:${callee}>`]] })
      yield* Effect.asVoid(inBackground(call.bye()))
      const bye = yield* peer.request("BYE")
      assert.strictEqual(bye.uri, `sip:${callee}`)
      assert.deepStrictEqual(headers(bye, "route"), [`<sip:peer@${callee}>`])
    }))

  virtualTest("of the callee takes the way of the Record-Route headers in their order", () =>
    Effect.gen(function*() {
      const { incoming, peer } = yield* called
      const routes = [["record-route", `<sip:${third};lr>`], ["record-route", "<sip:192.0.2.9;lr>"]] as const
      yield* peer.send(callee, "INVITE", { headers: routes, body: offer })
      const call = yield* Effect.flatMap(Queue.take(incoming), (one) => one.accept(answer))
      const response = yield* peer.response(200)
      assert.deepStrictEqual(headers(response, "record-route"), routes.map(([, value]) => value))
      const to = response.headers.filter(([name]) => name === "to")
      yield* peer.send(callee, "ACK", { headers: [...to, ["cseq", "1 ACK"]] })
      yield* Effect.asVoid(inBackground(call.bye()))
      const bye = yield* peer.request("BYE")
      assert.deepStrictEqual(headers(bye, "route"), routes.map(([, value]) => value))
    }))

  virtualTest("before the answer is answered only where it asks", () =>
    Effect.gen(function*() {
      const { peer } = yield* called
      yield* peer.send(callee, "INVITE", { body: offer })
      const to = (yield* peer.response(100)).headers.filter(([name]) => name === "to")
      yield* peer.send(callee, "OPTIONS", { headers: to })
      yield* peer.response(200)
      yield* peer.send(callee, "UPDATE", { headers: to, body: offer })
      yield* peer.response(491)
      yield* peer.send(callee, "INFO", { headers: to })
      yield* peer.response(481)
      yield* peer.send(callee, "BYE", { headers: to })
      yield* peer.response(200)
      yield* peer.response(487)
    }))
})

describe("a blind transfer", () => {
  virtualTest("reports how the other side's call goes, until its end", () =>
    Effect.gen(function*() {
      const { call, dialog, peer } = yield* connectPeer()
      const referring = yield* inBackground(call.refer("sip:desk@example.org"))
      const refer = yield* peer.request("REFER")
      assert.strictEqual(header(refer, "refer-to"), "<sip:desk@example.org>")
      assert.strictEqual(header(refer, "referred-by"), "<sip:someone@192.0.2.1>")
      const notify = (state: string, line: string) =>
        peer.send(caller, "NOTIFY", {
          headers: [...dialog, ["event", "refer"], ["subscription-state", state], ["content-type", "message/sipfrag"]],
          body: line
        })
      yield* notify("active;expires=60", "SIP/2.0 100 Trying")
      yield* peer.respond(caller, refer, 202)
      yield* notify("active", "SIP/2.0 180 Ringing")
      yield* notify("terminated;reason=noresource", "SIP/2.0 200 OK")
      const reports = Array.from(yield* Stream.runCollect(yield* referring))
      assert.deepStrictEqual(reports, [
        { status: 100, final: false },
        { status: 180, final: false },
        { status: 200, final: true }
      ])
    }))

  virtualTest("that is refused fails, and one that is not reported ends with the call", () =>
    Effect.gen(function*() {
      const { call, dialog, peer } = yield* connectPeer()
      const refused = yield* inBackground(Effect.flip(call.refer("sip:desk@example.org")))
      yield* peer.respond(caller, yield* peer.request("REFER"), 603)
      assert.deepInclude(yield* refused, { kind: "refused", status: 603 })
      const referring = yield* inBackground(call.refer("sip:desk@example.org"))
      yield* peer.respond(caller, yield* peer.request("REFER"), 202)
      const reports = yield* referring
      yield* peer.send(caller, "BYE", { headers: dialog })
      assert.strictEqual((yield* Stream.runCollect(reports)).length, 0)
    }))

  virtualTest("is not taken from the other side", () =>
    Effect.gen(function*() {
      const { atCaller } = yield* connect()
      assert.deepInclude(yield* Effect.flip(atCaller.refer("sip:desk@example.org")), { status: 405 })
    }))
})

describe("a call to a target with several addresses", () => {
  virtualTest(
    "goes to the next one when the first is not reached, or is out of service (503)",
    () =>
      Effect.gen(function*() {
        const address = (host: string, protocol: "udp" | "tcp") => ({ protocol, host, port: 5060 })
        const names = {
          "trunk.example": [address("192.0.2.8", "tcp"), address(third, "udp"), address(callee, "udp")] as const
        }
        const { incoming, left, ...network } = yield* makePair({ names })
        yield* network.agent(third, { admit: () => ({ _tag: "Respond", status: 503 }) })
        const outgoing = yield* left.invite({ ...invitation, target: "sip:agent@trunk.example" })
        yield* Effect.flatMap(Queue.take(incoming), (call) => call.accept(answer))
        const call = yield* outgoing.answered
        yield* call.bye()
        assert.deepStrictEqual(network.namesOf(caller), ["INVITE", "INVITE", "ACK", "INVITE", "ACK", "BYE"])
        const failure = yield* Effect.flip(left.invite({ ...invitation, target: "sip:a@192.0.2.8;transport=tcp" }))
        assert.strictEqual(failure.kind, "transport")
      })
  )
})
