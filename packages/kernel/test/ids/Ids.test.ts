import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, Ids } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Random, TestClock } from "effect"

const v4 = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
const v7 = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
const june = 1_780_272_000_000

const everyKind = Effect.flatMap(Ids, (ids) =>
  Effect.all({
    deploymentId: ids.deploymentId,
    campaignId: ids.campaignId,
    cohortId: ids.cohortId,
    attemptId: ids.attemptId,
    interactionId: ids.interactionId,
    requestId: ids.requestId,
    uuid: ids.uuid
  }))

const attempts = (count: number) =>
  Effect.flatMap(Ids, ({ attemptId }) => Effect.all(Array.from({ length: count }, () => attemptId)))

describe("Ids", () => {
  it.effect("have the documented formats", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(june)
      const ids = yield* everyKind
      assert.match(ids.deploymentId, /^dep-[0-9a-f]{12}$/)
      assert.match(ids.campaignId, /^camp-[0-9a-f]{12}$/)
      assert.match(ids.cohortId, /^coh-[0-9a-f]{12}$/)
      assert.match(ids.attemptId, new RegExp(`^${v7}$`))
      assert.match(ids.interactionId, new RegExp(`^20260601-${v7}$`))
      assert.match(ids.requestId, new RegExp(`^20260601_${v4}$`))
      assert.match(ids.uuid, new RegExp(`^${v4}$`))
      assert.strictEqual(Number.parseInt(ids.attemptId.replace("-", "").slice(0, 12), 16), june)
    }).pipe(Effect.provide(Ids.layer)))

  it.effect("date calls by business time and requests by the clock", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(june)
      const { interactionId, requestId } = yield* everyKind.pipe(
        Effect.provideService(BusinessTime, BusinessTime.fromClock(86_400_000))
      )
      assert.match(interactionId, /^20260602-/)
      assert.match(requestId, /^20260601_/)
    }).pipe(Effect.provide(Ids.layer)))

  virtualTest(
    "sort in order of creation, within a millisecond and across",
    () =>
      Effect.gen(function*() {
        const first = yield* attempts(5_000)
        yield* Effect.sleep(1)
        const made = [...first, ...(yield* attempts(5_000))]
        assert.deepStrictEqual([...made].sort(), made)
        assert.strictEqual(new Set(made).size, made.length)
      }).pipe(Effect.provide(Ids.layer)),
    { start: june }
  )

  it.effect("repeat for the same Random", () =>
    Effect.gen(function*() {
      const make = Effect.withRandom(Effect.provide(everyKind, Ids.layer), Random.make("seed"))
      const again = Effect.withRandom(Effect.provide(everyKind, Ids.layer), Random.make("seed"))
      const other = Effect.withRandom(Effect.provide(everyKind, Ids.layer), Random.make("other"))
      const first = yield* make
      assert.deepStrictEqual(yield* again, first)
      assert.notDeepEqual(yield* other, first)
    }))

  it.effect("repeat for the same seed, independent of other uses of Random", () =>
    Effect.gen(function*() {
      const first = yield* Effect.provide(everyKind, Ids.layerSeeded("seed"))
      yield* Random.next
      assert.deepStrictEqual(yield* Effect.provide(everyKind, Ids.layerSeeded("seed")), first)
      assert.notDeepEqual(yield* Effect.provide(everyKind, Ids.layerSeeded("other")), first)
    }))
})
