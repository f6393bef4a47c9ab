import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Duration, Effect, Fiber } from "effect"
import { guardLeg } from "../src/calls/LegGuard.js"
import { type Leg, makeSimulatedAudioLine } from "../src/index.js"
import { audioLineLaws } from "../src/testing.js"

audioLineLaws("simulated, 8 kHz", makeSimulatedAudioLine(), virtualTest)
audioLineLaws("simulated, 16 kHz", makeSimulatedAudioLine({ rate: 16_000 }), virtualTest)

describe("the limits of a leg", () => {
  virtualTest("take no call for idle while the other side holds it", () =>
    Effect.gen(function*() {
      let isHeld = true
      const leg: Leg = {
        say: () => Effect.never,
        listen: () => Effect.never,
        hangUp: Effect.void,
        isHeld: () => isHeld
      }
      const { leg: guarded, spent } = yield* guardLeg(leg, {
        deadline: Duration.toMillis("1 hour"),
        idle: Duration.minutes(2)
      })
      yield* Effect.fork(guarded.listen(Duration.seconds(8)))
      const ended = yield* Effect.fork(spent)
      yield* Effect.sleep("20 minutes")
      assert.isNull(ended.unsafePoll())
      isHeld = false
      yield* Effect.sleep("5 minutes")
      assert.strictEqual(yield* Fiber.join(ended), "idle")
    }))
})
