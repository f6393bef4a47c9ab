import { assert, describe } from "@effect/vitest"
import { BusinessTime, StoreUnavailable } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { AttemptStore, SimulatedNetwork } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import { calling } from "../Calling.js"
import { telephony } from "../Fixtures.js"

const away = Effect.die(new StoreUnavailable())

/** An attempt store that is away for the first minutes of the test, for acceptances and results. */
const awayFor = (duration: Duration.DurationInput) =>
  Layer.effect(
    AttemptStore,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const until = (yield* BusinessTime.now) + Duration.toMillis(duration)
      const unlessAway = <A>(effect: Effect.Effect<A>) =>
        Effect.flatMap(BusinessTime.now, (now) => now < until ? away : effect)
      return {
        ...store,
        acceptMany: (acceptances) => unlessAway(store.acceptMany(acceptances)),
        endMany: (results) => unlessAway(store.endMany(results))
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
})
