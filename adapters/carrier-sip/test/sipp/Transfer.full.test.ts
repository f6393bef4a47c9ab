import { assert, describe } from "@effect/vitest"
import { joinLines } from "@trunkline/telephony"
import { Duration, Effect } from "effect"
import { hasTools } from "../../src/testing/PeerProcess.js"
import { headerHas, pause, receive, requestOfCallee, respond, type Step } from "../../src/testing/SippScenario.js"
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

const ringTimeout = Duration.seconds(20)

/** A call to sipp that is transferred after its answer, with the result. */
const transferOf = (steps: ReadonlyArray<Step>, options: Readonly<Record<string, unknown>> = {}, replacing?: string) =>
  Effect.gen(function*() {
    const { callee, place } = yield* calleeOf([...answers(), ...steps], options)
    const line = lineOf(yield* (yield* place()).answer)
    const watched = watch(line)
    const request = { to: desk, ringTimeout, ...(replacing !== undefined && { replacing }) }
    const result = line.refer === undefined ? null : yield* line.refer(request)
    return { callee, line, result, ...watched }
  })

const taken = { _tag: "Taken" }

describe.skipIf(!hasTools("sipp"))("a transfer by a callee", () => {
  live("is done when the target has answered, and we hang up", () =>
    Effect.gen(function*() {
      const { callee, ended, result } = yield* transferOf([
        ...tries,
        ...reports(2, "200 OK", "terminated;reason=noresource"),
        ...isHungUp
      ])
      assert.deepStrictEqual(result, taken)
      assert.strictEqual(yield* ended, "agent")
      yield* callee.outcome
    }))

  live("is done when the callee takes it and says that it reports nothing", () =>
    Effect.gen(function*() {
      const { callee, ended, result } = yield* transferOf([
        isReferred,
        respond(202, { tag: false, headers: ["Refer-Sub: false"] }),
        ...isHungUp
      ])
      assert.deepStrictEqual(result, taken)
      assert.strictEqual(yield* ended, "agent")
      yield* callee.outcome
    }))

  live("is done when the callee hangs up while it calls the target", () =>
    Effect.gen(function*() {
      const { callee, ended, result } = yield* transferOf([...tries, ...hangsUp(2)])
      assert.deepStrictEqual(result, taken)
      assert.strictEqual(yield* ended, "user")
      yield* callee.outcome
    }))

  live("takes over another call of ours where the line allows it", () =>
    Effect.gen(function*() {
      const replaces = receive("REFER", { action: headerHas("Refer-To:", "Replaces=abc%3Bto-tag%3D1%3Bfrom-tag%3D2") })
      const { callee, result } = yield* transferOf(
        [replaces, respond(202, { tag: false, headers: ["Refer-Sub: false"] }), ...isHungUp],
        { refer: "attended" },
        "abc;to-tag=1;from-tag=2"
      )
      assert.deepStrictEqual(result, taken)
      yield* callee.outcome
    }))

  for (
    const [name, steps, expected] of [
      ["is refused, and the call goes on", [isReferred, respond(403, { tag: false })], { _tag: "Unsupported" }],
      ["does not reach a busy target, and the call goes on", [
        ...tries,
        ...reports(2, "486 Busy Here", "terminated;reason=noresource")
      ], { _tag: "NotTaken", outcome: "busy", reason: null }],
      ["is declined by the target, and the call goes on", [
        ...tries,
        ...reports(2, "603 Decline", "terminated;reason=noresource")
      ], { _tag: "NotTaken", outcome: "declined", reason: null }]
    ] as const
  ) {
    live(name, () =>
      Effect.gen(function*() {
        const { callee, events, line, result } = yield* transferOf([...steps, ...isHungUp])
        assert.deepStrictEqual(result, expected)
        assert.deepStrictEqual(events, [])
        yield* line.hangUp
        yield* callee.outcome
      }))
  }

  live(
    "is asked for nothing on a line without it, nor to take over a call on one that does not say so",
    () =>
      Effect.gen(function*() {
        const none = yield* transferOf(isHungUp, { refer: "none" })
        assert.isNull(none.result)
        yield* none.line.hangUp
        const blind = yield* transferOf(isHungUp, {}, "abc;to-tag=1;from-tag=2")
        assert.deepStrictEqual(blind.result, { _tag: "Unsupported" })
        yield* blind.line.hangUp
      })
  )

  live("is given up for another one, and ends the call only when that does", () =>
    Effect.gen(function*() {
      const { callee, place } = yield* calleeOf([
        ...answers(),
        isReferred,
        respond(202, { tag: false }),
        isReferred,
        respond(403, { tag: false }),
        ...isHungUp
      ])
      const line = lineOf(yield* (yield* place()).answer)
      const { events } = watch(line)
      const refer = line.refer?.({ to: desk, ringTimeout }) ?? Effect.succeed(null)
      const results = yield* Effect.all([refer, refer], { concurrency: "unbounded" })
      assert.deepStrictEqual(results.map((result) => result?._tag), ["NotTaken", "Unsupported"])
      assert.deepStrictEqual(events, [])
      yield* line.hangUp
      yield* callee.outcome
    }))
})

describe.skipIf(!hasTools("sipp"))("a trunk that refuses transfers", () => {
  live("has its calls joined through us, and both end when one side hangs up", () =>
    Effect.gen(function*() {
      const caller = yield* transferOf([isReferred, respond(501, { tag: false }), ...isHungUp])
      assert.deepStrictEqual(caller.result, { _tag: "Unsupported" })
      const target = yield* calleeOf([...answers(), pause(600), ...hangsUp()])
      const person = lineOf(yield* (yield* target.place()).answer)
      yield* joinLines(caller.line, person)
      yield* caller.callee.outcome
      yield* target.callee.outcome
    }))
})
