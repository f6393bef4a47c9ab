import { assert, describe } from "@effect/vitest"
import { type AttemptId, BusinessTime, OrgId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  type Attempt,
  AttemptStore,
  type Callee,
  CallHandler,
  HangUps,
  type Leg,
  Outbounds
} from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { ended, outboundBody } from "../Calling.js"
import { scope, telephony } from "../Fixtures.js"

/** Talks for as long as the line holds, and tells who ended it. */
const talking = Layer.succeed(CallHandler, {
  handle: (leg: Leg) =>
    Effect.forever(leg.listen(Duration.seconds(10))).pipe(
      Effect.catchAll(({ by }) =>
        Effect.succeed({
          agent_done: false,
          ended_by: by,
          language_name: "English",
          transcript: [],
          final_agent_variables: {},
          output_agent_variables: {},
          average_agent_response_seconds: null,
          average_user_response_seconds: null,
          business_retry: false,
          reschedule_at: null,
          fault: null
        })
      )
    )
})

/** Starts a call, hangs up after some time, and waits for its end. */
const hungUpAfter = (wait: Duration.DurationInput, callee: Callee) =>
  Effect.gen(function*() {
    const outbounds = yield* Outbounds
    const hangUps = yield* HangUps
    yield* Effect.fork(outbounds.run)
    const id = yield* outbounds.start(scope, outboundBody())
    yield* BusinessTime.sleep(wait)
    const answer = yield* hangUps.hangUp(scope, id)
    const attempt = yield* ended(id)
    return { answer, attempt, again: yield* hangUps.hangUp(scope, id) }
  }).pipe(Effect.orDie, Effect.provide(telephony({ handler: talking, simulator: { default: callee } })))

const lasted = ({ attempted_at, result }: Attempt) => ((result?.finished_at ?? 0) - attempted_at) / 1000

describe("hanging up on request", () => {
  virtualTest("ends a conversation on the agent's side, and keeps its record", () =>
    Effect.gen(function*() {
      const { again, answer, attempt } = yield* hungUpAfter("30 seconds", "answer")
      assert.strictEqual(answer.status, "ending")
      assert.strictEqual(again.status, "ended")
      assert.strictEqual(attempt.result?.interaction?.ended_by, "agent")
      assert.strictEqual(attempt.result?.failure_reason, "hung up on request")
      assert.isBelow(lasted(attempt), 32)
    }))

  virtualTest("stops a call from ringing, which counts as a try", () =>
    Effect.gen(function*() {
      const { attempt } = yield* hungUpAfter("3 seconds", "no_answer")
      assert.strictEqual(attempt.result?.connectivity_status, "no_answer")
      assert.strictEqual(attempt.result?.failure_reason, "hung up on request")
      assert.isBelow(lasted(attempt), 5)
    }))

  virtualTest("refuses attempts of others, and those that wait to be dialled", () =>
    Effect.gen(function*() {
      const hangUps = yield* HangUps
      const waiting: AttemptId = yield* (yield* Outbounds).start(scope, outboundBody())
      const refused = yield* Effect.flip(hangUps.hangUp(scope, waiting))
      assert.strictEqual(refused._tag, "RuleViolation")
      const elsewhere = { ...scope, org_id: OrgId.make("other") }
      assert.strictEqual((yield* Effect.flip(hangUps.hangUp(elsewhere, waiting)))._tag, "NotFound")
      assert.strictEqual((yield* (yield* AttemptStore).unfinished).length, 1)
    }).pipe(Effect.orDie, Effect.provide(telephony())))
})
