import { assert, describe } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { startSipp } from "../../src/testing/Sipp.js"
import { pause, receive, request, respond, sdp, type Step } from "../../src/testing/SippScenario.js"
import { answering, carrierOf, connectionTo, lineOf, liveTests, ourNumber } from "../peers/World.js"

const live = liveTests()

/** Steps of a caller before its acknowledgement. */
const untilAnswer: ReadonlyArray<Step> = [
  request("INVITE", { inDialog: false, body: sdp() }),
  receive(100, { optional: true }),
  receive(180, { optional: true }),
  receive(200)
]

const isHungUp: ReadonlyArray<Step> = [receive("BYE"), respond(200, { tag: false })]

/** The trouble of a call from sipp that the agent hangs up once sipp has done its first steps. */
const troubleOf = (
  steps: ReadonlyArray<Step>,
  { options = {}, talks = "1200 millis" }: {
    readonly options?: Readonly<Record<string, unknown>>
    readonly talks?: "100 millis" | "1200 millis"
  } = {}
) =>
  Effect.gen(function*() {
    const connection = connectionTo(9, { inbound: { allow: ["127.0.0.1"] }, ...options })
    const carrier = yield* carrierOf(connection)
    const troubleSignal = yield* Deferred.make<unknown>()
    yield* answering(carrier, ({ accept }) =>
      Effect.gen(function*() {
        const line = lineOf(yield* accept)
        yield* Effect.sleep(talks)
        yield* line.hangUp
        yield* Deferred.succeed(troubleSignal, line.trouble?.())
      }))
    const remote = carrier.ports.get(connection.connection_id) ?? 0
    const caller = yield* startSipp({ remote, steps, service: ourNumber })
    const trouble = yield* Deferred.await(troubleSignal)
    yield* caller.outcome
    return trouble
  })

describe.skipIf(!hasTools("sipp"))("the trouble of a call from sipp", () => {
  live("is that no sound came, with what may help", () =>
    Effect.gen(function*() {
      const acknowledged = [...untilAnswer, request("ACK", { cseq: 1 }), ...isHungUp]
      assert.deepStrictEqual(yield* troubleOf(acknowledged), {
        reason: "sip: no sound came from the other side; if it is behind a NAT, set nat_latch",
        isFailed: false
      })
      assert.deepStrictEqual(yield* troubleOf(acknowledged, { options: { nat_latch: true } }), {
        reason: "sip: no sound came from the other side",
        isFailed: false
      })
    }))

  live("is none for a call that is over within a second", () =>
    Effect.gen(function*() {
      const acknowledged = [...untilAnswer, request("ACK", { cseq: 1 }), ...isHungUp]
      assert.isNull(yield* troubleOf(acknowledged, { talks: "100 millis" }))
    }))

  live("is none when the other side only listens", () =>
    Effect.gen(function*() {
      const [, ...rest] = untilAnswer
      const invite = request("INVITE", { inDialog: false, body: sdp({ direction: "recvonly" }) })
      assert.isNull(yield* troubleOf([invite, ...rest, request("ACK", { cseq: 1 }), ...isHungUp]))
    }))

  live("is that the answer was never acknowledged, so that there was no call", () =>
    Effect.gen(function*() {
      const late = [...untilAnswer, pause(1_000), request("ACK", { cseq: 1 }), ...isHungUp]
      assert.deepStrictEqual(yield* troubleOf(late, { talks: "100 millis" }), {
        reason: "sip: the answer was never acknowledged",
        isFailed: true
      })
    }))
})
