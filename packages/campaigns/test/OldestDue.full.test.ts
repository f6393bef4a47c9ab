import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Duration, Effect, Fiber } from "effect"
import { CampaignRunner, Campaigns, makeOldestDue } from "../src/index.js"
import { campaignBody, campaigns, mondayMorning, scope } from "./Fixtures.js"

/** A campaign whose runner dials for a minute and then stops, with contacts left, and the wait of the oldest of them. */
const stalled = Effect.gen(function*() {
  const service = yield* Campaigns
  const runner = yield* Effect.flatMap(CampaignRunner, ({ run }) => Effect.forkScoped(run))
  const { campaign_id } = yield* service.create(scope, campaignBody({}, { attempts_per_second: 1 }), "demo")
  const oldest = yield* makeOldestDue
  yield* BusinessTime.sleep("1 minute")
  assert.isAtMost(yield* oldest, 1_000, "a queue that moves is not late, although its contacts are due for a minute")
  yield* Fiber.interrupt(runner)
  const act = (action: "pause" | "resume") => service.act(scope, campaign_id, action, "demo")
  return { act, minutes: Effect.map(oldest, (millis) => Math.round(millis / Duration.toMillis("1 minute"))) }
})

const run = { start: mondayMorning }

describe("the oldest due attempt", () => {
  virtualTest("waits from the last dial on, once nobody is called any more", () =>
    Effect.gen(function*() {
      const { minutes } = yield* stalled
      yield* BusinessTime.sleep("10 minutes")
      assert.strictEqual(yield* minutes, 10)
    }).pipe(Effect.provide(campaigns({ people: 200 }))), run)

  virtualTest(
    "does not wait while its campaign is paused, and begins anew when that goes on",
    () =>
      Effect.gen(function*() {
        const { act, minutes } = yield* stalled
        yield* act("pause")
        yield* BusinessTime.sleep("10 minutes")
        assert.strictEqual(yield* minutes, 0)
        yield* act("resume")
        yield* BusinessTime.sleep("3 minutes")
        assert.strictEqual(yield* minutes, 3)
      }).pipe(Effect.provide(campaigns({ people: 200 }))),
    run
  )

  virtualTest("does not wait outside of its hours, and waits from their opening on", () =>
    Effect.gen(function*() {
      const { minutes } = yield* stalled
      yield* BusinessTime.sleepUntil(Date.parse("2024-05-20T18:30:00+05:30"))
      assert.strictEqual(yield* minutes, 0)
      yield* BusinessTime.sleepUntil(Date.parse("2024-05-21T09:07:00+05:30"))
      assert.strictEqual(yield* minutes, 7)
    }).pipe(Effect.provide(campaigns({ people: 200 }))), run)

  virtualTest("does not wait when there is nobody to call", () =>
    Effect.gen(function*() {
      const { minutes } = yield* stalled
      yield* BusinessTime.sleep("10 minutes")
      assert.strictEqual(yield* minutes, 0)
    }).pipe(Effect.provide(campaigns({ people: 5 }))), run)
})
