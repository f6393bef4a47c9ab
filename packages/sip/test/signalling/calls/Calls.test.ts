import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Queue } from "effect"
import { answer, callee, caller, connect, invitation, makePair, offer } from "../Agents.js"

const none = { transactions: 0, calls: 0 }

describe("a call", () => {
  virtualTest("is placed, rings, is answered and hung up by the caller", () =>
    Effect.gen(function*() {
      const { incoming, left, namesOf, right } = yield* makePair()
      const outgoing = yield* left.invite(invitation)
      const call = yield* Queue.take(incoming)
      assert.strictEqual(call.offer, offer)
      assert.strictEqual(call.callId, outgoing.callId)
      yield* call.ring()
      yield* Effect.sleep("2 seconds")
      const atCallee = yield* call.accept(answer)
      const atCaller = yield* outgoing.answered
      assert.strictEqual(atCaller.remoteSdp(), answer)
      assert.strictEqual(atCallee.remoteSdp(), offer)
      yield* Effect.sleep("10 seconds")
      yield* atCaller.bye(16)
      assert.deepStrictEqual(yield* atCaller.ended, { by: "local", kind: "bye", cause: null })
      assert.deepStrictEqual(yield* atCallee.ended, { by: "remote", kind: "bye", cause: 16 })
      assert.deepStrictEqual(namesOf(caller), ["INVITE", "ACK", "BYE"])
      assert.deepStrictEqual(namesOf(callee), ["100", "180", "200", "200"])
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
    }))

  virtualTest("is hung up by the callee", () =>
    Effect.gen(function*() {
      const { atCallee, atCaller } = yield* connect()
      yield* atCallee.bye()
      assert.deepStrictEqual(yield* atCaller.ended, { by: "remote", kind: "bye", cause: null })
      assert.deepStrictEqual(yield* atCallee.ended, { by: "local", kind: "bye", cause: null })
    }))

  virtualTest("takes no more requests once it has ended, and sends none", () =>
    Effect.gen(function*() {
      const { atCallee, atCaller, namesOf } = yield* connect()
      yield* atCallee.bye()
      yield* atCaller.ended
      const requests = [atCaller.refer("sip:desk@pbx.example"), atCaller.press("1"), atCaller.reinvite(offer)]
      const failures = yield* Effect.forEach(requests, (request) => Effect.flip(Effect.asVoid(request)))
      assert.deepStrictEqual(failures.map(({ kind }) => kind), ["ended", "ended", "ended"])
      assert.deepStrictEqual(namesOf(caller), ["INVITE", "ACK", "200"])
    }))
})
