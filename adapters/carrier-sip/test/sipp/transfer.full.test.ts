import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { headerHas, receive, requestOfCallee, respond, type Step } from "../../src/testing/SippScenario.js"
import { lineOf, liveTests, watch } from "../peers/World.js"
import { answers, calleeOf, hangsUp, isHungUp } from "./Callee.js"

const live = liveTests()

const desk = "sip:desk@pbx.example"

const isReferred = receive("REFER", { action: headerHas("Refer-To:", desk) })

/** Steps that report how the callee's own call goes. */
const reports = (cseq: number, line: string, state: string): ReadonlyArray<Step> => [
  requestOfCallee("NOTIFY", {
    cseq,
    headers: ["Event: refer", `Subscription-State: ${state}`],
    type: "message/sipfrag;version=2.0",
    body: [`SIP/2.0 ${line}`]
  }),
  receive(200)
]

const tries = [
  isReferred,
  respond(202, { tag: false }),
  ...reports(1, "100 Trying", "active;expires=60")
]

/** A call to sipp that is transferred after its answer, with what the transfer returned. */
const transferOf = (steps: ReadonlyArray<Step>) =>
  Effect.gen(function*() {
    const { callee, carrier, place } = yield* calleeOf([...answers(), ...steps])
    const { answer, provider_call_id } = yield* place()
    const line = lineOf(yield* answer)
    const watched = watch(line)
    return { callee, line, transferred: yield* carrier.transfer(provider_call_id, desk), ...watched }
  })

describe.skipIf(!hasTools("sipp"))("a transfer by a callee", () => {
  live("is done when the target has answered, and we hang up", () =>
    Effect.gen(function*() {
      const { callee, ended, transferred } = yield* transferOf([
        ...tries,
        ...reports(2, "200 OK", "terminated;reason=noresource"),
        ...isHungUp
      ])
      assert.isTrue(transferred)
      assert.strictEqual(yield* ended, "agent")
      yield* callee.held
    }))

  live("is done when the callee hangs up while it calls the target", () =>
    Effect.gen(function*() {
      const { callee, ended, transferred } = yield* transferOf([...tries, ...hangsUp(2)])
      assert.isTrue(transferred)
      assert.strictEqual(yield* ended, "user")
      yield* callee.held
    }))

  for (
    const [name, steps] of [
      ["is refused, and the call goes on", [isReferred, respond(403, { tag: false })]],
      ["does not reach the target, and the call goes on", [
        ...tries,
        ...reports(2, "486 Busy Here", "terminated;reason=noresource")
      ]]
    ] as const
  ) {
    live(name, () =>
      Effect.gen(function*() {
        const { callee, events, line, transferred } = yield* transferOf([...steps, ...isHungUp])
        assert.isFalse(transferred)
        assert.deepStrictEqual(events, [])
        yield* line.hangUp
        yield* callee.held
      }))
  }

  live("is given up for another one, and ends the call only when that does", () =>
    Effect.gen(function*() {
      const { callee, carrier, place } = yield* calleeOf([
        ...answers(),
        isReferred,
        respond(202, { tag: false }),
        isReferred,
        respond(403, { tag: false }),
        ...isHungUp
      ])
      const { answer, provider_call_id } = yield* place()
      const line = lineOf(yield* answer)
      const { events } = watch(line)
      const transfer = carrier.transfer(provider_call_id, desk)
      assert.deepStrictEqual(yield* Effect.all([transfer, transfer], { concurrency: "unbounded" }), [false, false])
      assert.deepStrictEqual(events, [])
      yield* line.hangUp
      yield* callee.held
    }))

  live("of a call that is over, or that nobody knows, is none", () =>
    Effect.gen(function*() {
      const { callee, carrier, place } = yield* calleeOf([...answers(), ...hangsUp()])
      const { answer, provider_call_id } = yield* place()
      yield* watch(lineOf(yield* answer)).ended
      assert.isFalse(yield* carrier.transfer(provider_call_id, desk))
      assert.isFalse(yield* carrier.transfer("line-1:unknown", desk))
      yield* callee.held
    }))
})
