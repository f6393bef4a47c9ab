import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Logger, LogLevel, Queue, Stream } from "effect"
import { answer, callee, caller, connect, inBackground, invitation, makeNetwork, makePair, offer } from "../Agents.js"
import { makePeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }

/** A peer that calls an agent, whose handler is given. */
const called = Effect.gen(function*() {
  const { incoming, ...network } = yield* makePair()
  const peer = yield* makePeer(network, "192.0.2.3")
  const timesOf = (status: number) =>
    network.sent.filter(({ from, message }) =>
      from === callee && message._tag === "Response" && message.status === status
    ).map(({ at }) => at)
  return { ...network, incoming, peer, timesOf }
})

const calling = Effect.gen(function*() {
  const network = yield* makeNetwork()
  const agent = yield* network.agent(caller)
  const peer = yield* makePeer(network, callee)
  const placing = yield* inBackground(agent.invite(invitation))
  const invite = yield* peer.request("INVITE")
  return { ...network, agent, peer, invite, placing }
})

describe("an answer", () => {
  virtualTest(
    "is repeated until the ACK, and after 32 seconds without one the call is hung up",
    () =>
      Effect.gen(function*() {
        const { incoming, peer, right, timesOf } = yield* called
        yield* peer.send(callee, "INVITE", { body: offer })
        const call = yield* Effect.flatMap(Queue.take(incoming), (one) => one.accept(answer))
        assert.isFalse(call.isConfirmed())
        assert.deepStrictEqual(yield* call.ended, { by: "fault", kind: "no-ack", cause: null })
        const [first = 0] = timesOf(200)
        assert.deepStrictEqual(timesOf(200).map((at) => at - first), [
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
        yield* peer.respond(callee, yield* peer.request("BYE"), 200)
        yield* Effect.sleep("6 seconds")
        assert.deepStrictEqual(right.counts(), none)
      })
  )

  virtualTest("is not hung up before its ACK", () =>
    Effect.gen(function*() {
      const { incoming, peer } = yield* called
      const invite = yield* peer.send(callee, "INVITE", { body: offer })
      const call = yield* Effect.flatMap(Queue.take(incoming), (one) => one.accept(answer))
      const hungUp = yield* inBackground(call.bye())
      const response = yield* peer.response(200)
      yield* Effect.sleep("200 millis")
      assert.strictEqual((yield* peer.waiting).length, 0)
      const to = response.headers.filter(([name]) => name === "to")
      yield* peer.send(callee, "ACK", { headers: [...to, ["cseq", "1 ACK"]] })
      yield* peer.respond(callee, yield* peer.request("BYE"), 200)
      yield* hungUp
      assert.strictEqual(invite.method, "INVITE")
    }))

  virtualTest("is acknowledged again when it is repeated", () =>
    Effect.gen(function*() {
      const { invite, peer, placing } = yield* calling
      yield* peer.respond(caller, invite, 200, { body: answer })
      const ack = yield* peer.request("ACK")
      yield* peer.respond(caller, invite, 200, { body: answer })
      assert.deepStrictEqual(yield* peer.request("ACK"), ack)
      const call = yield* Effect.flatMap(placing, ({ answered }) => answered)
      yield* peer.send(caller, "BYE", {
        headers: [
          ["call-id", call.callId],
          ["from", ack.headers.find(([name]) => name === "to")?.[1] ?? ""],
          ["to", ack.headers.find(([name]) => name === "from")?.[1] ?? ""]
        ]
      })
      yield* peer.response(200)
      yield* peer.respond(caller, invite, 200, { body: answer })
      assert.deepStrictEqual(yield* peer.request("ACK"), ack)
    }))

  virtualTest(
    "is lost when the other side repeats it until it gives up, since it never had our ACK",
    () =>
      Effect.gen(function*() {
        const hungUpAfter = (copies: ReadonlyArray<number>) =>
          Effect.gen(function*() {
            const { invite, peer, placing } = yield* calling
            yield* peer.respond(caller, invite, 200, { body: answer })
            const ack = yield* peer.request("ACK")
            const call = yield* Effect.flatMap(placing, ({ answered }) => answered)
            for (const millis of copies) {
              yield* Effect.sleep(millis)
              yield* peer.respond(caller, invite, 200, { body: answer })
            }
            yield* Effect.sleep("1 second")
            const isConfirmed = call.isConfirmed()
            yield* peer.send(caller, "BYE", {
              headers: [
                ["call-id", call.callId],
                ["from", ack.headers.find(([name]) => name === "to")?.[1] ?? ""],
                ["to", ack.headers.find(([name]) => name === "from")?.[1] ?? ""]
              ]
            })
            return [isConfirmed, (yield* call.ended).kind]
          })
        const untilLost = [500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000]
        assert.deepStrictEqual(yield* hungUpAfter(untilLost), [false, "no-ack"])
        assert.deepStrictEqual(yield* hungUpAfter(untilLost.slice(0, 3)), [true, "bye"])
        assert.deepStrictEqual(yield* hungUpAfter(untilLost.slice(0, 5)), [false, "bye"])
      })
  )

  virtualTest("is acknowledged at last, and the call goes on", () =>
    Effect.gen(function*() {
      const { invite, peer, placing } = yield* calling
      for (const millis of [0, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000]) {
        yield* Effect.sleep(millis)
        yield* peer.respond(caller, invite, 200, { body: answer })
      }
      const call = yield* Effect.flatMap(placing, ({ answered }) => answered)
      yield* Effect.sleep("100 millis")
      assert.isFalse(call.isConfirmed())
      yield* Effect.sleep("7 seconds")
      assert.isTrue(call.isConfirmed())
    }))

  virtualTest("of a second side is acknowledged and hung up", () =>
    Effect.gen(function*() {
      const { agent, invite, peer, placing } = yield* calling
      yield* peer.respond(caller, invite, 180, {}, "one")
      yield* peer.respond(caller, invite, 180, {}, "two")
      yield* peer.respond(caller, invite, 200, { body: answer }, "one")
      const outgoing = yield* placing
      const call = yield* outgoing.answered
      const tags = Array.from(yield* Stream.runCollect(outgoing.progress), ({ tag }) => tag)
      assert.deepStrictEqual(tags, ["one", "two"])
      yield* peer.respond(caller, invite, 200, { body: answer }, "two")
      yield* peer.request("ACK")
      yield* peer.request("ACK")
      const bye = yield* peer.request("BYE")
      assert.match(bye.headers.find(([name]) => name === "to")?.[1] ?? "", /tag=two/)
      yield* peer.respond(caller, bye, 200)
      assert.strictEqual(agent.counts().calls, 1)
      yield* Effect.asVoid(inBackground(call.bye()))
      const last = yield* peer.request("BYE")
      assert.match(last.headers.find(([name]) => name === "to")?.[1] ?? "", /tag=one/)
      yield* peer.respond(caller, last, 481)
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual(agent.counts(), none)
    }))

  virtualTest("without a description takes that of the early media of its side", () =>
    Effect.gen(function*() {
      const { invite, peer, placing } = yield* calling
      yield* peer.respond(caller, invite, 183, { body: answer })
      yield* peer.respond(caller, invite, 200)
      const outgoing = yield* placing
      assert.strictEqual((yield* outgoing.answered).remoteSdp(), answer)
      const progress = Array.from(yield* Stream.runCollect(outgoing.progress))
      assert.deepStrictEqual(progress, [{ status: 183, sdp: answer, tag: "peer" }])
    }))

  virtualTest(
    "has our offer where the caller sent none, and the caller's answer comes in the ACK",
    () =>
      Effect.gen(function*() {
        const { incoming, peer } = yield* called
        yield* peer.send(callee, "INVITE")
        const one = yield* Queue.take(incoming)
        assert.isNull(one.offer)
        const accepted = yield* inBackground(one.accept(offer))
        const response = yield* peer.response(200)
        const to = response.headers.filter(([name]) => name === "to")
        yield* peer.send(callee, "ACK", { body: answer, headers: [...to, ["cseq", "1 ACK"]] })
        assert.strictEqual((yield* accepted).remoteSdp(), answer)
      })
  )

  virtualTest("that crosses another hang-up ends the call on both sides", () =>
    Effect.gen(function*() {
      const { atCallee, atCaller, left, right } = yield* connect()
      yield* Effect.all([atCaller.bye(), atCallee.bye()], { concurrency: "unbounded" })
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
    }))
})

describe("a refusal", () => {
  virtualTest("tells its status, phrase, Q.850 cause and Retry-After", () =>
    Effect.gen(function*() {
      const { invite, peer, placing } = yield* calling
      yield* peer.respond(caller, invite, 180)
      yield* peer.respond(caller, invite, 503, {
        headers: [["reason", "SIP;cause=503"], ["reason", "Q.850;cause=34;text=\"no circuit\""], [
          "retry-after",
          "120 (busy)"
        ]]
      })
      const rejected = yield* Effect.flatMap(placing, ({ answered }) => Effect.flip(answered))
      assert.deepInclude(rejected, { kind: "refused", status: 503, cause: 34, retryAfter: 120, rang: true })
    }))

  virtualTest(
    "of a call that is handled comes with its headers; without a decision it is 480, and 500 for a defect",
    () =>
      Effect.gen(function*() {
        const statusOf = (incoming: Parameters<typeof makePair>[0]) =>
          Effect.gen(function*() {
            const { left } = yield* makePair(incoming)
            return yield* Effect.flatMap(left.invite(invitation), ({ answered }) => Effect.flip(answered))
          })
        const busy = yield* statusOf({ callee: { incoming: (call) => call.reject(486, [["retry-after", "7"]]) } })
        assert.deepInclude(busy, { status: 486, phrase: "Busy Here", retryAfter: 7 })
        assert.strictEqual((yield* statusOf({ callee: { incoming: () => Effect.void } })).status, 480)
        assert.strictEqual((yield* statusOf({ callee: { incoming: () => Effect.die("broken") } })).status, 500)
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
})
