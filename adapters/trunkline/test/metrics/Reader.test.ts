import { assert, describe, it } from "@effect/vitest"
import { Engine } from "@trunkline/engine"
import { testEngine } from "@trunkline/http-api/testing"
import { Effect, Exit, Layer, Logger } from "effect"
import { readMetrics } from "../../src/server/metrics/MetricsReader.js"

describe("a reading of the metrics", () => {
  it.effect("that fails is logged with its reason", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
      const broken = { measure: Effect.die(new Error("the disk is gone")) }
      const engine = Layer.provide(
        Layer.effect(Engine, Effect.map(Engine, (engine) => ({ ...engine, ...broken }))),
        testEngine
      )
      const exit = yield* Effect.exit(
        Effect.provide(readMetrics, Layer.merge(engine, Logger.replace(Logger.defaultLogger, logger)))
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.lengthOf(lines, 1)
      assert.match(lines[0] ?? "", /^ERROR The metrics could not be read: the disk is gone/)
    }))
})
