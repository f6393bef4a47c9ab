import { assert, describe } from "@effect/vitest"
import { AcceleratedTime, BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Load } from "@trunkline/rate-limits"
import { type Clock, Effect, Layer } from "effect"
import { Engine } from "../src/index.js"
import { agents, campaignBody, connections, mondayMorning, over, scope, upload } from "./Fixtures.js"

/** Runs an effect, and counts the wake-ups of its timers, in technical and business time. */
const countingWakeUps = <A, E, R>(use: (wakeUps: Effect.Effect<number>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const [clock, time] = [yield* Effect.clock, yield* BusinessTime]
    let count = 0
    const wokeUp = Effect.sync(() => void (count += 1))
    const counting: Clock.Clock = Object.create(clock, {
      sleep: {
        value: (duration: Parameters<Clock.Clock["sleep"]>[0]) => Effect.zipRight(clock.sleep(duration), wokeUp)
      }
    })
    return yield* use(Effect.sync(() => count)).pipe(
      Effect.provideService(BusinessTime, {
        ...time,
        sleepUntil: (at) => Effect.zipRight(time.sleepUntil(at), wokeUp)
      }),
      Effect.withClock(counting)
    )
  })

/** Counts the wake-ups in an hour without events. */
const inAnHour = (wakeUps: Effect.Effect<number>) =>
  Effect.gen(function*() {
    const before = yield* wakeUps
    yield* Effect.sleep("1 hour")
    return (yield* wakeUps) - before - 1
  })

/**
 * Wake-ups per hour: abandoned calls are checked every minute, old events every hour, webhooks and results of calls of other
 * processes every 30 seconds, and five services check their stores every five minutes, one of them for each workspace with facts.
 */
const mostInAnHour = 60 + 1 + 2 * 120 + 12 * (5 + 1)

const engine = Engine.layerMemory({ agents, connections, load: Load.layer() })

describe("an idle engine", () => {
  virtualTest(
    "rarely wakes",
    () =>
      countingWakeUps((wakeUps) =>
        Effect.zipRight(Effect.sleep("1 minute"), inAnHour(wakeUps)).pipe(
          Effect.tap((count) => assert.isAtMost(count, mostInAnHour)),
          Effect.provide(engine)
        )
      ),
    { start: mondayMorning }
  )

  virtualTest(
    "rarely wakes when business time is accelerated sixtyfold",
    () =>
      countingWakeUps((wakeUps) =>
        Effect.zipRight(Effect.sleep("1 minute"), inAnHour(wakeUps)).pipe(
          Effect.tap((count) => assert.isAtMost(count, mostInAnHour)),
          Effect.provide(Layer.provide(engine, AcceleratedTime.layer({ speed: 60, start: mondayMorning })))
        )
      )
  )

  virtualTest(
    "rarely wakes after a campaign is over",
    () =>
      countingWakeUps((wakeUps) =>
        Effect.gen(function*() {
          const { campaigns } = yield* Engine
          const { campaign_id } = yield* campaigns.create(scope, campaignBody(), "demo")
          yield* upload({ kind: "campaign", id: campaign_id }, "id,name,mobile\n1,Asha,9876543210\n")
          yield* over(campaign_id)
          yield* Effect.sleep("1 minute")
          assert.isAtMost(yield* inAnHour(wakeUps), mostInAnHour)
        }).pipe(Effect.provide(engine))
      ),
    { start: mondayMorning }
  )
})
