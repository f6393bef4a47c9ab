import { assert, describe, it } from "@effect/vitest"
import { Telemetry } from "@trunkline/opentelemetry"
import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { startCollector } from "../../../test/setup/Collector.js"

setFlagsFromString("--expose-gc")
const collectGarbage: unknown = runInNewContext("gc")

/** Megabytes of live objects. */
const usedMegabytes = Effect.sync(() => {
  if (typeof collectGarbage === "function") collectGarbage()
  return (process.memoryUsage().heapUsed + process.memoryUsage().external) / 1024 / 1024
})

const text = "a text of a prompt. ".repeat(10)

/** Traces of eleven spans with texts, and one that never ends. */
const traces = (count: number) =>
  Effect.gen(function*() {
    const endless = yield* Effect.makeSpan("endless", { root: true })
    const child = (name: string) =>
      Effect.void.pipe(Effect.withSpan(name, { attributes: { text, other: `${text}${name}` } }))
    const trace = Effect.withSpan(Effect.forEach(Array.from({ length: 10 }), (_, index) => child(`${index}`)), "root", {
      root: true
    })
    for (let done = 0; done < count; done++) {
      yield* trace
      yield* Effect.withParentSpan(child("late"), endless)
      if (done % 100 === 0) yield* Effect.sleep(1)
    }
    return endless
  })

const closed = Effect.scoped(Effect.map(startCollector(), ({ endpoint }) => endpoint))
const silent = Effect.map(startCollector("silent"), ({ endpoint }) => endpoint)

describe("a dead collector", () => {
  for (const [kind, start] of [["refuses connections", closed], ["never answers", silent]] as const) {
    it.scopedLive(`that ${kind} costs under 50 MB, and delays the end by under a second`, () =>
      Effect.gen(function*() {
        const endpoint = yield* start
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
              sampling: { ratio: 1, followsParent: true },
              texts: false
            }),
            Logger.remove(Logger.defaultLogger)
          )
        ).pipe(Scope.extend(scope))
        const endless = yield* Effect.provide(traces(20_000), runtime)
        const held = (yield* usedMegabytes) - before
        assert.isBelow(held, 50)
        assert.isAbove(held, 1)
        assert.notStrictEqual(endless.traceId, "native")
        const begun = performance.now()
        yield* Scope.close(scope, Exit.void)
        assert.isBelow(performance.now() - begun, 1_000)
      }))
  }
})
