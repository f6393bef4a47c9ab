import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { type Headers, headers, type SipCall } from "@trunkline/sip"
import { Effect, FastCheck, Logger, LogLevel, Queue } from "effect"
import { answer, callee, invitation, makePair, offer } from "../Agents.js"
import { makePeer } from "../Peer.js"

const none = { transactions: 0, calls: 0 }
const host = "192.0.2.3"

const requests = FastCheck.array(
  FastCheck.record({
    method: FastCheck.constantFrom(
      "INVITE",
      "INVITE",
      "ACK",
      "BYE",
      "CANCEL",
      "UPDATE",
      "INFO",
      "OPTIONS",
      "NOTIFY",
      "REFER",
      "PRACK",
      "X"
    ),
    /** The call that is meant; the peer knows the agent's tag of each that was answered. */
    call: FastCheck.integer({ min: 0, max: 3 }),
    isWithin: FastCheck.boolean(),
    branch: FastCheck.option(FastCheck.integer({ min: 0, max: 5 })),
    number: FastCheck.integer({ min: 0, max: 6 }),
    body: FastCheck.constantFrom(undefined, undefined, offer, answer, "x"),
    further: FastCheck.constantFrom<Headers>(
      [],
      [],
      [["require", "100rel"]],
      [["content-type", "text/plain"]],
      [["supported", "timer"], ["session-expires", "90"]],
      [["session-expires", "1"], ["supported", "timer"]],
      [["contact", "<tel:1>"]],
      [["record-route", "<sip:nowhere.example;lr>"]],
      [["event", "refer"], ["subscription-state", "terminated"]]
    ),
    pause: FastCheck.constantFrom(0, 0, 10, 700)
  }),
  { maxLength: 25 }
)

type Requests = typeof requests extends FastCheck.Arbitrary<infer A> ? A : never

/** Takes part in a call for a minute at most. */
const hangUpLater = (call: SipCall) =>
  Effect.zipRight(Effect.timeout(call.ended, "1 minute").pipe(Effect.ignore), call.bye())

/** Sends the requests to an agent that takes every call, and returns what is left, and whether it still takes calls. */
const run = (requests: Requests) =>
  Effect.gen(function*() {
    const { left, right, ...network } = yield* makePair({
      callee: { incoming: (call) => Effect.ignore(Effect.flatMap(call.accept(answer), hangUpLater)) }
    })
    const peer = yield* makePeer(network, host)
    const tags = new Map<string, string>()
    network.observe((from, _to, bytes) => {
      const [, callId = ""] = /^Call-ID: (.*)\r$/m.exec(new TextDecoder().decode(bytes)) ?? []
      const [, to] = /^To: (.*;tag=.*)\r$/m.exec(new TextDecoder().decode(bytes)) ?? []
      if (from === callee && to !== undefined) tags.set(callId, to)
    })
    yield* Effect.forEach(requests, ({ body, branch, call, further, isWithin, method, number, pause }) => {
      const to = tags.get(`${call}`)
      const headers: Headers = [
        ["call-id", `${call}`],
        ["cseq", `${number} ${method}`],
        ...(isWithin && to !== undefined ? [["to", to] as const] : []),
        ...(branch === null ? [] : [["via", `SIP/2.0/UDP ${host};branch=z9hG4bK${branch}`] as const])
      ]
      const parts = { headers: [...headers, ...further], ...(body === undefined ? {} : { body }) }
      return Effect.zipRight(peer.send(callee, method, parts), Effect.sleep(pause))
    })
    yield* Effect.sleep("5 minutes")
    const counts = right.counts()
    const outgoing = yield* left.invite(invitation)
    yield* Effect.flatMap(outgoing.answered, (call) => call.bye())
    return counts
  }).pipe(Effect.scoped, VirtualClock.run)

describe("a hostile peer", () => {
  it("leaves nothing behind, whatever it sends, and calls are still taken", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(requests, async (requests) => {
        assert.deepStrictEqual(await Effect.runPromise(run(requests)), none)
      }),
      { numRuns: propertyRuns(60) }
    ))

  virtualTest(
    "is dropped where the admission of its request fails, and the next request is processed",
    () =>
      Effect.gen(function*() {
        let requested = 0
        const { incoming, ...network } = yield* makePair({
          callee: {
            admit: () => {
              requested++
              if (requested === 1) throw new Error("broken")
              return { _tag: "Accept" }
            }
          }
        })
        const peer = yield* makePeer(network, host)
        yield* peer.send(callee, "INVITE", { body: offer })
        yield* peer.send(callee, "INVITE", { body: offer, headers: [["call-id", "second"]] })
        const call = yield* Queue.take(incoming)
        assert.deepStrictEqual(headers(call.request, "call-id"), ["second"])
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )

  virtualTest("may hang up however many transactions there are", () =>
    Effect.gen(function*() {
      const { incoming, left, right } = yield* makePair({ callee: { maxTransactions: 1 } })
      const outgoing = yield* left.invite(invitation)
      const atCallee = yield* Effect.flatMap(Queue.take(incoming), (call) => call.accept(answer))
      const atCaller = yield* outgoing.answered
      assert.deepInclude(yield* Effect.flip(atCaller.press("1")), { kind: "refused", status: 503 })
      assert.strictEqual((yield* Effect.flip(atCallee.press("1"))).kind, "overload")
      yield* atCallee.bye()
      yield* Effect.sleep("33 seconds")
      assert.deepStrictEqual([left.counts(), right.counts()], [none, none])
    }))
})
