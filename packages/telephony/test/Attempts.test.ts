import { assert, describe } from "@effect/vitest"
import { AttemptId, BusinessTime, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Fiber, Option } from "effect"
import { type AttemptEnd, Attempts, AttemptStore, notConnected } from "../src/index.js"
import { attemptInProgress } from "./AttemptInProgress.js"
import { telephony } from "./Fixtures.js"

const [first, broken, twice] = [AttemptId.make("ending-a"), AttemptId.make("ending-b"), AttemptId.make("ending-c")]
const ids = [first, broken, twice, AttemptId.make("ending-d")]
type Conclude = NonNullable<AttemptEnd["conclude"]>

const stored = Effect.gen(function*() {
  const store = yield* AttemptStore
  yield* store.insertMany(ids.map((attempt_id) => attemptInProgress("accepted", { attempt_id })))
  return store
})

const endOf = (attempt_id: AttemptId, conclude: Conclude): AttemptEnd => ({
  attempt_id,
  outcome: notConnected("busy", null),
  conclude
})

describe("attempts that end at the same time", () => {
  virtualTest("end although one of them cannot be concluded, which ends once it can", () =>
    Effect.gen(function*() {
      const store = yield* stored
      const attempts = yield* Attempts
      const runs: Array<number> = []
      let fails = true
      const conclude: Conclude = (ending) =>
        Effect.flatMap(Effect.yieldNow(), () => {
          runs.push(ending.length)
          return fails && ending.some(({ attempt }) => attempt.attempt_id === broken)
            ? Effect.die("the contact is broken")
            : Effect.succeed(ending.map(() => "retry" as const))
        })
      const fibers = yield* Effect.forEach(ids, (id) => Effect.fork(attempts.end(endOf(id, conclude))))
      yield* BusinessTime.sleep("1 second")
      const states = Effect.map(store.findMany(ids), (found) => ids.map((id) => found.get(id)?.state))
      assert.deepStrictEqual(yield* states, ["ended", "accepted", "ended", "ended"])
      assert.isAbove(Math.max(...runs), 1)
      fails = false
      yield* BusinessTime.sleep("1 minute")
      assert.deepStrictEqual(yield* states, ["ended", "ended", "ended", "ended"])
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [true, true, true, true])
    }).pipe(Effect.scoped, Effect.provide(telephony())))

  virtualTest("have the first result, however often they end together", () =>
    Effect.gen(function*() {
      const store = yield* stored
      const attempts = yield* Attempts
      const retry: Conclude = (ending) => Effect.as(Effect.yieldNow(), ending.map(() => "retry" as const))
      const never: Conclude = (ending) => Effect.succeed(ending.map(() => null))
      const ends = [[first, retry], [twice, retry], [twice, never]] as const
      const done = yield* Effect.forEach(ends, ([id, conclude]) => attempts.end(endOf(id, conclude)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(done, [true, true, false])
      const found = yield* findOne(store.findMany, twice)
      assert.strictEqual(Option.getOrThrow(found).result?.next_action_status, "retry")
    }).pipe(Effect.scoped, Effect.provide(telephony())))
})
