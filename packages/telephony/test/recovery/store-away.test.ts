import { assert, describe } from "@effect/vitest"
import { BusinessTime, StoreBusy } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { AttemptStore, Calls, SimulatedNetwork } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { attemptInProgress } from "../attemptInProgress.js"
import { calling } from "../calling.js"
import { telephony } from "../fixtures.js"

const busy = Effect.die(new StoreBusy("the database cannot be reached"))

/** An attempt store that is away for the first minutes of the test, for acceptances and results. */
const awayFor = (duration: Duration.DurationInput) =>
  Layer.effect(
    AttemptStore,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const until = (yield* BusinessTime.now) + Duration.toMillis(duration)
      const unlessAway = <A>(effect: Effect.Effect<A>) =>
        Effect.flatMap(BusinessTime.now, (now) => now < until ? busy : effect)
      return {
        ...store,
        acceptMany: (acceptances) => unlessAway(store.acceptMany(acceptances)),
        endMany: (results) => unlessAway(store.endMany(results))
      }
    })
  )

/** An attempt store that is away for one acceptance, and then finds that the attempt is another process's. */
const takenOver = Layer.effect(
  AttemptStore,
  Effect.map(AttemptStore, (store) => {
    let isAway = true
    return {
      ...store,
      acceptMany: () =>
        Effect.suspend(() => {
          const answer = isAway ? busy : Effect.succeed(new Set<never>())
          isAway = false
          return answer
        })
    }
  })
)

describe("a call while the database is away", () => {
  virtualTest("goes on to its end, and its result is stored once the database is back", () =>
    Effect.gen(function*() {
      const started = yield* BusinessTime.now
      const attempt = yield* calling()
      assert.strictEqual(attempt.result?.connectivity_status, "connected")
      assert.strictEqual(attempt.result?.completion_status, "completed")
      assert.isAtLeast((yield* BusinessTime.now) - started, Duration.toMillis("10 minutes"))
      assert.lengthOf(yield* (yield* SimulatedNetwork).calls, 1)
    }).pipe(Effect.provide(telephony({ attempts: awayFor("10 minutes") }))))

  virtualTest("ends when its attempt turns out to belong to another process", () =>
    Effect.gen(function*() {
      const [calls, store] = [yield* Calls, yield* AttemptStore]
      const attempt = attemptInProgress("claimed")
      yield* store.insert(attempt)
      const placed = yield* calls.place(attempt)
      assert.deepInclude(placed, { _tag: "NotConnected", situation: "internal" })
    }).pipe(Effect.provide(telephony({ attempts: takenOver }))))
})
