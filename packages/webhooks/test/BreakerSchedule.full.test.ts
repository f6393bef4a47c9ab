import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
import { answer, counts, enqueue, sentSoFar, startDelivery, world } from "./World.js"

const silent = Logger.remove(Logger.defaultLogger)
const many = (count: number) =>
  Effect.forEach(Array.from({ length: count }, (_, index) => index + 1), (n) => enqueue(n))

describe("a failing endpoint", () => {
  it.scoped("that never recovers ends no webhook sooner than the schedule, and all of them eventually", () =>
    Effect.gen(function*() {
      yield* many(60)
      yield* startDelivery
      yield* TestClock.adjust("76 hours")
      assert.strictEqual((yield* counts).dead, 0)
      yield* TestClock.adjust("10 days")
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 0, dead: 60 })
      const perWebhook = new Map<string, Array<number>>()
      for (const { at, headers } of yield* sentSoFar) {
        const id = headers["webhook-id"] ?? ""
        perWebhook.set(id, [...(perWebhook.get(id) ?? []), at])
      }
      const waits = [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3600)].map((s) => s * 1000)
      for (const times of perWebhook.values()) {
        assert.isAtMost(times.length, 10)
        times.slice(1).forEach((at, index) => assert.isAtLeast(at - (times[index] ?? 0), waits[index] ?? Infinity))
      }
    }).pipe(Effect.provide(Layer.merge(silent, world(() => answer(500))))))
})
