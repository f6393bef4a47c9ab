import { assert, describe } from "@effect/vitest"
import { BadRequest, ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { virtualTest } from "@trunkline/kernel/testing"
import { answers, fails, fakeModel, type FakeStep, hangs, waits } from "@trunkline/models/testing"
import type { Interaction } from "@trunkline/telephony"
import { Array, Clock, type Duration, Effect, Fiber, Layer, Logger } from "effect"
import { AfterCallJobs, AfterCalls } from "../src/index.js"
import { conversation, endCall, world } from "./Fixtures.js"

const good = answers(JSON.stringify({
  summary: "Pays 500 on Friday.",
  variables: { promise_date: "2026-12-04", amount: 500, mood: "calm" }
}))
const lie = answers(
  JSON.stringify({ summary: "Pays.", variables: { promise_date: "2026-02-30", amount: 1, mood: null } })
)
const down = [fails(new ModelUnavailable({ message: "The model is away" }))]

/** Runs the work with a model that plays these answers, for a simulated time. */
const run = (
  scripts: ReadonlyArray<ReadonlyArray<FakeStep>>,
  calls: ReadonlyArray<Interaction>,
  time: Duration.DurationInput = "1 hour"
) => {
  const model = fakeModel(scripts)
  const { heard, layer } = world(model)
  return Effect.gen(function*() {
    yield* Effect.fork((yield* AfterCalls).run)
    const plans = yield* Effect.forEach(calls, (call) => endCall(call))
    yield* Effect.sleep(time)
    return { heard, plans, requests: model.calls, left: yield* (yield* AfterCallJobs).count }
  }).pipe(Effect.scoped, Effect.provide(Layer.merge(layer, Logger.remove(Logger.defaultLogger))))
}

describe("the work after a call", () => {
  virtualTest(
    "finds a summary and typed variables in one request, and counts its tokens",
    () =>
      Effect.gen(function*() {
        const { heard, left, plans, requests } = yield* run([good], [conversation()])
        assert.deepInclude(plans[0]?.result.extraction, { status: "pending", tries: 0, duration_seconds: null })
        assert.deepStrictEqual(heard.map(({ after }) => after), [{
          summary: "Pays 500 on Friday.",
          output_variables: { promise_date: "2026-12-04", amount: 500, mood: "calm" },
          extraction: {
            status: "done",
            reason: null,
            model: "test-model",
            tries: 1,
            duration_seconds: 0,
            usage: { input_tokens: 1, output_tokens: 1 },
            variables: [
              { name: "promise_date", type: "date", source: "model" },
              { name: "amount", type: "integer", source: "model" },
              { name: "mood", type: "enum", source: "model" }
            ]
          }
        }])
        assert.deepStrictEqual([requests.length, left], [1, 0])
        assert.strictEqual(requests[0]?.request.origin?.tenant, "acme/main after calls")
      })
  )

  virtualTest(
    "asks again with what was wrong, and fails after three answers that do not fit",
    () =>
      Effect.gen(function*() {
        const mended = yield* run([lie, good], [conversation()])
        assert.deepInclude(mended.heard[0]?.after.extraction, { status: "done", tries: 2 })
        assert.match(String(mended.requests[1]?.request.messages.at(-1)?.content), /promise_date must be a date/)
        const lied = yield* run([lie], [conversation({ output_agent_variables: { mood: "angry" } })])
        const after = lied.heard[0]?.after
        assert.deepInclude(after?.extraction, { status: "failed", tries: 3 })
        assert.match(after?.extraction?.reason ?? "", /of 3: variables.promise_date must be a date/)
        assert.deepStrictEqual(after?.output_variables, { promise_date: null, amount: null, mood: "angry" })
        assert.deepStrictEqual([lied.requests.length, lied.left, lied.heard.length], [3, 0, 1])
      })
  )

  virtualTest(
    "waits for a model that is away or hangs, and fails with its reason after five runs",
    () =>
      Effect.gen(function*() {
        const back = yield* run([down, [hangs], good], [conversation()], "2 minutes")
        assert.deepInclude(back.heard[0]?.after.extraction, { status: "done", tries: 3, duration_seconds: 65 })
        const away = yield* run([down], [conversation()])
        assert.deepInclude(away.heard[0]?.after.extraction, {
          status: "failed",
          reason: "The model is away",
          tries: 5,
          duration_seconds: 755,
          usage: null
        })
        assert.deepStrictEqual([away.heard.length, away.left], [1, 0])
      })
  )

  virtualTest("fails at once where the model cannot do it, and retries what may pass", () =>
    Effect.gen(function*() {
      const refused = yield* run([[fails(new BadRequest({ message: "No schemas here", param: null }))]], [
        conversation()
      ])
      assert.deepInclude(refused.heard[0]?.after.extraction, { status: "failed", reason: "No schemas here", tries: 1 })
      const leaking = new BadRequest({ message: "sk-abcdefghijkl1234 may not ask about +919876543210", param: null })
      const leaked = (yield* run([[fails(leaking)]], [conversation()])).heard[0]?.after.extraction?.reason
      assert.match(leaked ?? "", /may not ask about/)
      assert.notMatch(leaked ?? "", /abcdefghijkl1234|9876543210/)
      const failing = yield* run([[fails(new ModelFailed({ message: "broke" }))], good], [conversation()])
      assert.deepInclude(failing.heard[0]?.after.extraction, { status: "done", tries: 2 })
    }))

  virtualTest("is skipped without words of the caller, and without a conversation", () =>
    Effect.gen(function*() {
      const silent = conversation({ transcript: conversation().transcript.filter(({ role }) => role === "agent") })
      const { left, plans, requests } = yield* run([good], [silent])
      assert.deepInclude(plans[0]?.result.extraction, {
        status: "skipped",
        reason: "The caller said nothing",
        tries: 0
      })
      assert.deepStrictEqual([requests.length, left], [0, 0])
    }))

  virtualTest("asks only for what the call has not set", () =>
    Effect.gen(function*() {
      const call = conversation({ output_agent_variables: { promise_date: "2026-12-01", amount: 20, mood: "calm" } })
      const { heard, requests } = yield* run([answers("{\"summary\":\"All was said.\"}")], [call])
      assert.notInclude(JSON.stringify(requests[0]?.request.format), "promise_date")
      assert.deepInclude(heard[0]?.after.output_variables, { promise_date: "2026-12-01" })
      assert.strictEqual(heard[0]?.after.summary, "All was said.")
    }))

  virtualTest("goes on in another process where one was killed, and is stored once", () =>
    Effect.gen(function*() {
      const model = fakeModel([[hangs], good])
      const { heard, layer } = world(model)
      yield* Effect.gen(function*() {
        const { run } = yield* AfterCalls
        const killed = yield* Effect.fork(run)
        yield* endCall(conversation())
        yield* Effect.sleep("1 second")
        assert.lengthOf(model.calls, 1)
        yield* Fiber.interrupt(killed)
        const jobs = yield* AfterCallJobs
        const now = (yield* Clock.currentTimeMillis) + 121_000
        const taken = yield* jobs.claim({ now, limit: 1, leaseMillis: 1, exceptScopes: [] })
        assert.deepStrictEqual(taken.map(({ runs }) => runs), [2])
        // The first process still hangs on the model; what it finds out later is not stored.
        yield* Effect.fork(run)
        yield* Effect.sleep("5 minutes")
        assert.strictEqual(yield* jobs.count, 0)
        assert.lengthOf(heard, 1)
        assert.strictEqual(heard[0]?.after.extraction?.status, "done")
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(layer, Logger.remove(Logger.defaultLogger))))
    }))

  virtualTest(
    "is bounded, however many calls end at once, and leaves room for other workspaces",
    () =>
      Effect.gen(function*() {
        const model = fakeModel([[waits("2 seconds"), ...good]])
        const { heard, layer } = world(model)
        yield* Effect.gen(function*() {
          yield* Effect.fork((yield* AfterCalls).run)
          yield* Effect.forEach(Array.range(1, 200), () => endCall(conversation()))
          yield* Effect.sleep("1 second")
          assert.strictEqual(model.maxConcurrent(), 3)
          yield* endCall(conversation(), "other")
          yield* Effect.sleep("3 seconds")
          assert.isTrue(model.calls.some(({ request }) => request.origin?.tenant === "acme/other after calls"))
          assert.isBelow(heard.length, 20)
          yield* Effect.sleep("10 minutes")
          assert.deepStrictEqual([heard.length, model.maxConcurrent()], [201, 4])
        }).pipe(Effect.scoped, Effect.provide(layer))
      })
  )
})
