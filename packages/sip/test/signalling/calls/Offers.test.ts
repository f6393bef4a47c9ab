import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { OfferRefused } from "@trunkline/sip"
import { Effect, Logger, LogLevel, Queue } from "effect"
import { answer, callee, caller, connect, inBackground, offer } from "../Agents.js"
import { connectPeer } from "../Peer.js"

const holdSdp = `${answer}a=sendonly\r\n`
const resumed = `${offer}a=recvonly\r\n`
const none = { transactions: 0, calls: 0 }

describe("an offer within a call", () => {
  virtualTest("is answered by the other side's handler", () =>
    Effect.gen(function*() {
      const { atCallee, atCaller, namesOf } = yield* connect({
        invitation: { handlers: { reoffer: (sdp) => Effect.succeed(sdp === holdSdp ? resumed : offer) } }
      })
      assert.strictEqual(yield* atCallee.reinvite(holdSdp), resumed)
      assert.strictEqual(atCaller.remoteSdp(), holdSdp)
      assert.strictEqual(atCallee.remoteSdp(), resumed)
      yield* atCaller.bye()
      assert.deepStrictEqual(namesOf(callee), ["100", "200", "INVITE", "ACK", "200"])
    }))

  virtualTest(
    "is refused with 488 by default, with the handler's status, and with 500 for a defect; the call goes on",
    () =>
      Effect.gen(function*() {
        const refusals = [new OfferRefused({}), new OfferRefused({ status: 606 })].map((refusal) =>
          Effect.fail(refusal)
        )
        const handlers = [undefined, ...refusals, Effect.die("broken")]
        const statuses = yield* Effect.forEach(handlers, (handled) =>
          Effect.gen(function*() {
            const { atCallee, atCaller } = yield* connect(
              handled === undefined ? {} : { invitation: { handlers: { reoffer: () => handled } } }
            )
            const { status } = yield* Effect.flip(atCallee.reinvite(holdSdp))
            assert.strictEqual(atCaller.remoteSdp(), answer)
            yield* atCaller.bye()
            return status
          }))
        assert.deepStrictEqual(statuses, [488, 488, 606, 500])
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )

  virtualTest("that crosses another one is tried again after a random pause (491)", () =>
    Effect.gen(function*() {
      const { atCallee, atCaller, left, namesOf, right } = yield* connect({
        invitation: { handlers: { reoffer: () => Effect.succeed("of caller") } },
        handlers: { reoffer: () => Effect.succeed("of callee") }
      })
      yield* Effect.sleep("1 second")
      const answers = yield* Effect.all([atCaller.reinvite("new caller"), atCallee.reinvite("new callee")], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers, ["of callee", "of caller"])
      assert.include(namesOf(caller), "491")
      assert.include(namesOf(callee), "491")
      yield* atCaller.bye()
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
    }))

  virtualTest("may be asked for: ours is in the 2xx, and the answer in the ACK", () =>
    Effect.gen(function*() {
      const answered: Array<string> = []
      const { call, dialog, peer } = yield* connectPeer({
        invitation: {
          handlers: {
            reoffer: (sdp) => Effect.succeed(sdp === null ? "our offer" : ""),
            answer: (sdp) => Effect.sync(() => answered.push(sdp))
          }
        }
      })
      yield* peer.send(caller, "INVITE", { headers: dialog })
      const response = yield* peer.response(200)
      assert.strictEqual(new TextDecoder().decode(response.body), "our offer")
      yield* peer.send(caller, "ACK", { headers: [...dialog, ["cseq", "1 ACK"]], body: holdSdp })
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(answered, [holdSdp])
      assert.strictEqual(call.remoteSdp(), holdSdp)
    }))

  virtualTest("comes by UPDATE too", () =>
    Effect.gen(function*() {
      const { call, dialog, peer } = yield* connectPeer({
        invitation: { handlers: { reoffer: () => Effect.succeed(resumed) } }
      })
      yield* peer.send(caller, "UPDATE", { headers: dialog, body: holdSdp })
      const response = yield* peer.response(200)
      assert.strictEqual(new TextDecoder().decode(response.body), resumed)
      assert.strictEqual(call.remoteSdp(), holdSdp)
      yield* peer.send(caller, "UPDATE", { headers: dialog })
      assert.strictEqual((yield* peer.response(200)).body.length, 0)
    }))

  virtualTest("has to wait while another one is being answered", () =>
    Effect.gen(function*() {
      const { dialog, peer } = yield* connectPeer({
        invitation: { handlers: { reoffer: () => Effect.delay(Effect.succeed(resumed), "1 second") } }
      })
      yield* peer.send(caller, "INVITE", { headers: dialog, body: holdSdp })
      yield* peer.send(caller, "INVITE", { headers: dialog, body: holdSdp })
      const refusal = yield* peer.response(500)
      assert.isDefined(refusal.headers.find(([name]) => name === "retry-after"))
      yield* peer.response(200)
    }))

  virtualTest("that came before the BYE is refused with 487", () =>
    Effect.gen(function*() {
      const { call, dialog, peer } = yield* connectPeer({
        invitation: { handlers: { reoffer: () => Effect.delay(Effect.succeed(resumed), "1 second") } }
      })
      yield* peer.send(caller, "INVITE", { headers: dialog, body: holdSdp })
      yield* peer.send(caller, "BYE", { headers: dialog })
      yield* peer.response(487)
      assert.deepStrictEqual(yield* call.ended, { by: "remote", kind: "bye", cause: null })
    }))

  virtualTest("is not made once the call has ended", () =>
    Effect.gen(function*() {
      const { atCallee, atCaller } = yield* connect()
      yield* atCaller.bye()
      assert.strictEqual((yield* Effect.flip(atCallee.reinvite(holdSdp))).kind, "ended")
    }))

  virtualTest("to a side that does not know the call any more ends it", () =>
    Effect.gen(function*() {
      const { call, peer } = yield* connectPeer()
      const failing = yield* inBackground(Effect.flip(call.reinvite(resumed)))
      yield* peer.respond(caller, yield* peer.request("INVITE"), 481)
      assert.deepInclude(yield* failing, { kind: "refused", status: 481 })
      assert.deepStrictEqual(yield* call.ended, { by: "fault", kind: "gone", cause: null })
    }))
})

describe("a request within a call", () => {
  virtualTest("with an old CSeq gets 500, of another side 481, of an unknown method 405", () =>
    Effect.gen(function*() {
      const { dialog, peer } = yield* connectPeer()
      yield* peer.send(caller, "OPTIONS", { headers: [...dialog, ["cseq", "7 OPTIONS"]] })
      yield* peer.response(200)
      yield* peer.send(caller, "OPTIONS", { headers: [...dialog, ["cseq", "6 OPTIONS"]] })
      yield* peer.response(500)
      const other = dialog.filter(([name]) => name !== "from")
      yield* peer.send(caller, "OPTIONS", {
        headers: [...other, ["from", "<sip:x@y>;tag=other"], ["cseq", "8 OPTIONS"]]
      })
      yield* peer.response(481)
      yield* peer.send(caller, "REFER", { headers: [...dialog, ["refer-to", "<sip:a@b>"]] })
      yield* peer.response(405)
      yield* peer.send(caller, "NOTIFY", { headers: [...dialog, ["cseq", "9 NOTIFY"], ["event", "refer"]] })
      yield* peer.response(481)
    }))

  virtualTest("reports keys by INFO, in both usual forms", () =>
    Effect.gen(function*() {
      const pressed = yield* Queue.unbounded<readonly [string, number]>()
      const { atCaller, ...network } = yield* connect({
        handlers: { onKey: (digit, millis) => Queue.offer(pressed, [digit, millis]) }
      })
      yield* atCaller.press("5", 250)
      yield* atCaller.press("#")
      assert.deepStrictEqual(Array.from(yield* Queue.takeAll(pressed)), [["5", 250], ["#", 160]])
      assert.strictEqual(network.namesOf(caller).filter((name) => name === "INFO").length, 2)
      const { dialog, peer } = yield* connectPeer({
        invitation: { handlers: { onKey: (digit, millis) => Queue.offer(pressed, [digit, millis]) } }
      })
      const info = (type: string, text: string) =>
        peer.send(caller, "INFO", {
          headers: [...dialog, ["content-type", type]],
          body: text
        })
      yield* info("application/dtmf", "11")
      yield* peer.response(200)
      yield* info("application/dtmf-relay", "signal = d\r\nduration=0\r\n")
      yield* peer.response(200)
      assert.deepStrictEqual(Array.from(yield* Queue.takeAll(pressed)), [["#", 160], ["D", 160]])
      yield* info("application/xml", "<vbi/>")
      yield* peer.response(415)
      yield* peer.send(caller, "INFO", { headers: dialog })
      yield* peer.response(200)
    }))
})
