import { assert, describe, it } from "@effect/vitest"
import { StoreProbe } from "@trunkline/kernel"
import { meterReading } from "@trunkline/kernel/testing"
import { Effect, Fiber, Layer, Logger, LogLevel, TestClock } from "effect"
import { Engine, type MemoryOptions } from "../../src/index.js"
import { agents, connections } from "../Fixtures.js"

const options: MemoryOptions = { agents, connections }

const fine: StoreProbe.Service = {
  write: Effect.void,
  version: Effect.succeed({ storedVersion: 1, ownVersion: 1 }),
  freeBytes: Effect.succeed(3_000),
  logBytes: Effect.succeed(400)
}

/** An engine over stores that are probed like this. */
const engineOver = (probe: Partial<StoreProbe.Service>) =>
  Engine.layerMemory(options).pipe(
    Layer.provide(Layer.succeed(StoreProbe, { ...fine, ...probe })),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None))
  )

const failuresOf = (reading: string) => meterReading("trunkline_reading_failures_total", { reading })

describe("the state of an engine in metrics", () => {
  it.scoped("is read when it is asked for", () =>
    Effect.gen(function*() {
      const { measure } = yield* Engine
      yield* measure
      assert.strictEqual(meterReading("trunkline_calls"), 0)
      assert.strictEqual(meterReading("trunkline_outbox_webhooks"), 0)
      assert.strictEqual(meterReading("trunkline_outbox_age_seconds"), 0)
      assert.strictEqual(meterReading("trunkline_oldest_due_attempt_seconds"), 0)
      assert.strictEqual(meterReading("trunkline_processes"), 1)
      assert.strictEqual(meterReading("trunkline_database_log_bytes"), 400)
      assert.strictEqual(meterReading("trunkline_disk_free_bytes"), 3_000)
    }).pipe(Effect.provide(engineOver({}))))

  it.scoped("is not a number where it cannot be read, which is counted, and the rest is read", () =>
    Effect.gen(function*() {
      const before = failuresOf("log")
      yield* Effect.flatMap(Engine, ({ measure }) => measure)
      assert.isNaN(meterReading("trunkline_database_log_bytes"))
      assert.strictEqual(failuresOf("log"), before + 1)
      assert.strictEqual(meterReading("trunkline_disk_free_bytes"), 5)
    }).pipe(Effect.provide(engineOver({ logBytes: Effect.die("broken"), freeBytes: Effect.succeed(5) }))))

  it.scoped("keeps nobody waiting for more than two seconds", () =>
    Effect.gen(function*() {
      const before = failuresOf("disk")
      const { measure } = yield* Engine
      const measuring = yield* Effect.fork(measure)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(measuring)
      assert.isNaN(meterReading("trunkline_disk_free_bytes"))
      assert.strictEqual(failuresOf("disk"), before + 1)
      assert.strictEqual(meterReading("trunkline_database_log_bytes"), 7)
    }).pipe(Effect.provide(engineOver({ freeBytes: Effect.never, logBytes: Effect.succeed(7) }))))
})
