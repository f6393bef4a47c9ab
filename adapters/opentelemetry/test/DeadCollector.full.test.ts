import { assert, describe, it } from "@effect/vitest"
import { Telemetry } from "@trunkline/opentelemetry"
import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { startCollector } from "../../../test/setup/Collector.js"
import { leastDelay } from "../../../test/setup/Least.js"

setFlagsFromString("--expose-gc")
const collectGarbage: unknown = runInNewContext("gc")

/** Megabytes of live objects. */
const usedMegabytes = Effect.sync(() => {
  if (typeof collectGarbage === "function") collectGarbage()
  return (process.memoryUsage().heapUsed + process.memoryUsage().external) / 1024 / 1024
})

const text = "a text of a prompt. ".repeat(10)

/** Traces of eleven spans with texts, and one that never ends; returns the most megabytes that were in use meanwhile. */
const traces = (count: number) =>
  Effect.gen(function*() {
    const endless = yield* Effect.makeSpan("endless", { root: true })
    assert.notStrictEqual(endless.traceId, "native")
    const child = (name: string) =>
      Effect.void.pipe(Effect.withSpan(name, { attributes: { text, other: `${text}${name}` } }))
    const trace = Effect.withSpan(Effect.forEach(Array.from({ length: 10 }), (_, index) => child(`${index}`)), "root", {
      root: true
    })
    let most = 0
    for (let done = 0; done < count; done++) {
      yield* trace
      yield* Effect.withParentSpan(child("late"), endless)
      if (done % 100 === 0) yield* Effect.sleep(1)
      if (done % 1_000 === 0) most = Math.max(most, yield* usedMegabytes)
    }
    return most
  })

const closed = Effect.scoped(Effect.map(startCollector(), ({ endpoint }) => endpoint))
const silent = Effect.map(startCollector("silent"), ({ endpoint }) => endpoint)

const kinds = [["refuses connections", closed, 1], ["never answers", silent, 1], ["never answers", silent, 0]] as const

describe("a dead collector", () => {
  for (const [kind, start, ratio] of kinds) {
    it.scopedLive(`that ${kind} costs, with ${ratio} of the traces, under 50 MB, and delays the end by under a second`, () =>
      Effect.gen(function*() {
        const endpoint = yield* start
        const delayOfEnd = Effect.gen(function*() {
          const scope = yield* Scope.make()
          const before = yield* usedMegabytes
          const runtime = yield* Layer.toRuntime(
            Layer.merge(
              Telemetry.layer({
                url: `${endpoint}/v1/traces`,
                protocol: "http/json",
                headers: {},
                timeout: "10 seconds",
                serviceName: "test",
                resource: {},
                sampling: { ratio, followsParent: true },
                texts: false
              }),
              Logger.remove(Logger.defaultLogger)
            )
          ).pipe(Scope.extend(scope))
          const held = (yield* Effect.provide(traces(8_000), runtime)) - before
          assert.isBelow(held, 50)
          const startedAt = performance.now()
          yield* Scope.close(scope, Exit.void)
          return performance.now() - startedAt
        })
        assert.isBelow(yield* leastDelay(1_000, delayOfEnd), 1_000)
      }))
  }
})
