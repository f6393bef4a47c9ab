import { assert, describe } from "@effect/vitest"
import { BusinessTime, ConnectionId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  AttemptStore,
  Calls,
  type Carrier,
  DialFailed,
  type DialPermit,
  LineHealth,
  type LineHealthOptions,
  NotAnswered
} from "@trunkline/telephony"
import { Duration, Effect, Stream } from "effect"
import { attemptInProgress } from "../AttemptInProgress.js"
import { telephony } from "../Fixtures.js"

const id = ConnectionId.make("sim-1")
const other = ConnectionId.make("sim-2")

type Health = typeof LineHealth.Service

const withHealth = (test: (health: Health) => Effect.Effect<void>, options: LineHealthOptions = {}) =>
  Effect.flatMap(LineHealth, test).pipe(Effect.provide(LineHealth.layer(options)))

const dials = (health: Health, result: "ok" | "failed", count: number) =>
  Effect.repeatN(Effect.zipRight(health.permit(id), health.report(id, result)), count - 1)

/** A line that has just been paused after 20 failed dials. */
const broken = (health: Health) => dials(health, "failed", 20)

const pausedFor = (permit: DialPermit) =>
  Effect.map(BusinessTime.now, (now) => permit._tag === "Paused" ? permit.until - now : null)

describe("a line", () => {
  virtualTest(
    "is open until at least twenty dials within two minutes have a result",
    () =>
      withHealth((health) =>
        Effect.gen(function*() {
          yield* dials(health, "failed", 19)
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Open" })
          assert.deepStrictEqual(yield* health.state(id), { health: "ok", paused_until: null, reason: null })
          yield* BusinessTime.sleep("131 seconds")
          yield* dials(health, "failed", 19)
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Open" })
        })
      )
  )

  virtualTest(
    "is paused for half a minute, with a reason, once half of the dials failed",
    () =>
      withHealth((health) =>
        Effect.gen(function*() {
          yield* dials(health, "ok", 21)
          yield* dials(health, "failed", 20)
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Open" })
          yield* dials(health, "failed", 1)
          const reason = "21 of the last 42 dials on this connection failed"
          const until = (yield* BusinessTime.now) + 30_000
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Paused", until, reason })
          assert.deepStrictEqual(yield* health.state(id), { health: "paused", paused_until: until, reason })
          assert.deepStrictEqual(yield* health.permit(other), { _tag: "Open" })
        })
      )
  )

  virtualTest(
    "is probed by one call at a time and opens again when a probe succeeds",
    () =>
      withHealth((health) =>
        Effect.gen(function*() {
          yield* broken(health)
          yield* BusinessTime.sleep("30 seconds")
          assert.strictEqual((yield* health.state(id)).health, "probing")
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Probe" })
          assert.strictEqual(yield* pausedFor(yield* health.permit(id)), 5_000)
          yield* health.report(id, "ok")
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Open" })
          assert.strictEqual((yield* health.state(id)).health, "ok")
          yield* dials(health, "failed", 19)
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Open" })
        })
      )
  )

  virtualTest(
    "doubles its pause after each failed probe, up to ten minutes, and resets it after a success",
    () =>
      withHealth((health) =>
        Effect.gen(function*() {
          yield* broken(health)
          const pauses: Array<number | null> = []
          for (let round = 0; round < 7; round++) {
            const pause = yield* pausedFor(yield* health.permit(id))
            pauses.push(pause)
            yield* BusinessTime.sleep(pause ?? 0)
            assert.deepStrictEqual(yield* health.permit(id), { _tag: "Probe" })
            yield* health.report(id, "failed")
          }
          assert.deepStrictEqual(pauses, [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000])
          yield* BusinessTime.sleep("10 minutes")
          yield* health.permit(id)
          yield* health.report(id, "ok")
          yield* broken(health)
          assert.strictEqual(yield* pausedFor(yield* health.permit(id)), 30_000)
        })
      )
  )

  virtualTest(
    "is probed again immediately when a probe was not dialled, and after two minutes without a result",
    () =>
      withHealth((health) =>
        Effect.gen(function*() {
          yield* broken(health)
          yield* BusinessTime.sleep("30 seconds")
          yield* health.permit(id)
          yield* health.report(id, "none")
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Probe" })
          yield* BusinessTime.sleep("119 seconds")
          assert.strictEqual((yield* health.permit(id))._tag, "Paused")
          yield* BusinessTime.sleep("1 second")
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Probe" })
        })
      )
  )

  virtualTest(
    "ignores dials that began before it was paused or probed",
    () =>
      withHealth((health) =>
        Effect.gen(function*() {
          const before = yield* BusinessTime.now
          yield* BusinessTime.sleep("1 second")
          yield* broken(health)
          yield* health.report(id, "ok", before)
          assert.strictEqual((yield* health.permit(id))._tag, "Paused")
          yield* BusinessTime.sleep("30 seconds")
          yield* health.permit(id)
          yield* health.report(id, "ok", before)
          assert.strictEqual((yield* health.state(id)).health, "probing")
          yield* health.report(id, "ok")
          for (let late = 0; late < 40; late++) yield* health.report(id, "failed", before)
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Open" })
        })
      )
  )

  virtualTest("applies its options", () =>
    withHealth((health) =>
      Effect.gen(function*() {
        yield* dials(health, "ok", 1)
        yield* dials(health, "failed", 3)
        assert.strictEqual(yield* pausedFor(yield* health.permit(id)), 1_000)
        yield* BusinessTime.sleep("1 second")
        yield* health.permit(id)
        yield* health.report(id, "failed")
        assert.strictEqual(yield* pausedFor(yield* health.permit(id)), 1_500)
      }), { leastDials: 4, failedShare: 0.75, firstPause: "1 second", maxPause: "1500 millis" }))

  virtualTest(
    "rests as long as its provider asks for, at most for the longest pause",
    () =>
      withHealth((health) =>
        Effect.gen(function*() {
          yield* health.rest(id, Duration.seconds(20))
          yield* health.rest(id, Duration.seconds(5))
          assert.strictEqual(yield* pausedFor(yield* health.permit(id)), 20_000)
          assert.deepInclude(yield* health.state(id), { health: "paused", reason: "the provider asked for a pause" })
          assert.deepStrictEqual(yield* health.permit(other), { _tag: "Open" })
          yield* BusinessTime.sleep("20 seconds")
          assert.deepStrictEqual(yield* health.permit(id), { _tag: "Open" })
          yield* health.rest(id, Duration.hours(10))
          assert.strictEqual(yield* pausedFor(yield* health.permit(id)), 600_000)
        })
      )
  )

  for (const asks of ["while it dials", "after it has dialled"] as const) {
    const retryAfter = 60
    const carrier: Carrier = {
      provider: "simulator",
      protocol: "simulated",
      dedupe: () => ({ _tag: "None" }),
      place: () =>
        asks === "while it dials"
          ? new DialFailed({ certainty: "provider", reason: "test: busy", retryAfter })
          : Effect.succeed({
            provider_call_id: "call-1",
            answer: new NotAnswered({ status: "provider_error", reason: "test: busy", retryAfter }),
            cancel: Effect.void
          }),
      lookup: () => Effect.succeed({ _tag: "NotFound" }),
      offers: Stream.empty
    }
    virtualTest(`rests when its provider asks for it ${asks}`, () =>
      Effect.gen(function*() {
        const attempt = attemptInProgress("claimed")
        yield* (yield* AttemptStore).insertMany([attempt])
        const health = yield* LineHealth
        yield* (yield* Calls).place(attempt)
        assert.strictEqual(yield* pausedFor(yield* health.permit(attempt.connection_id)), 60_000)
      }).pipe(Effect.provide(telephony({ carrier }))))
  }
})
