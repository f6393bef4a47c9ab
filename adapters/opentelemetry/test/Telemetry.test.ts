import { assert, describe, it } from "@effect/vitest"
import { Telemetry, type TelemetryOptions } from "@trunkline/opentelemetry"
import { Data, Effect, Layer, Logger, Tracer } from "effect"
import { attributesOf, type Collector, startCollector } from "../../../test/setup/Collector.js"

/** Failure of a test. */
class Failed extends Data.TaggedError("Failed")<{ readonly message: string }> {}

const always = { ratio: 1, followsParent: true }

const optionsFor = ({ endpoint }: Pick<Collector, "endpoint">): TelemetryOptions => ({
  url: `${endpoint}/v1/traces`,
  protocol: "http/json",
  headers: {},
  timeout: "2 seconds",
  serviceName: "desk",
  resource: {},
  sampling: always,
  texts: false
})

/** Runs a program whose spans are exported, to the end of the last export. */
const exported = <A, E>(options: TelemetryOptions, program: Effect.Effect<A, E>) =>
  Effect.scoped(Effect.provide(program, Telemetry.layer(options)))

const nested = Effect.void.pipe(
  Effect.withSpan("inner", { attributes: { count: 3 } }),
  Effect.withSpan("outer", { kind: "server" })
)

describe("the export of traces", () => {
  it.scopedLive("sends spans with their parents, resource and headers to the collector", () =>
    Effect.gen(function*() {
      const collector = yield* startCollector()
      yield* exported(
        {
          ...optionsFor(collector),
          headers: { "x-key": "secret" },
          resource: { "deployment.environment.name": "test" }
        },
        nested
      )
      const [inner, outer] = collector.spans
      assert.deepStrictEqual([inner?.name, outer?.name], ["inner", "outer"])
      assert.deepStrictEqual([inner?.traceId, inner?.parentSpanId], [outer?.traceId, outer?.spanId])
      assert.deepStrictEqual([inner?.kind, outer?.kind, outer?.status], [1, 2, { code: 0 }])
      assert.deepStrictEqual(attributesOf(inner), { count: 3 })
      assert.deepStrictEqual(collector.paths, ["/v1/traces"])
      assert.strictEqual(collector.headers[0]?.["x-key"], "secret")
      assert.match(collector.bodies[0] ?? "", /"service.name","value":{"stringValue":"desk"}/)
      assert.include(collector.bodies[0], "deployment.environment.name")
    }))

  it.scopedLive("writes Protocol Buffers where the collector wants them", () =>
    Effect.gen(function*() {
      const collector = yield* startCollector()
      yield* exported({ ...optionsFor(collector), protocol: "http/protobuf" }, nested)
      assert.strictEqual(collector.headers[0]?.["content-type"], "application/x-protobuf")
      assert.include(collector.bodies[0], "outer")
    }))

  it.scopedLive("continues the trace of another service, and follows its choice", () =>
    Effect.gen(function*() {
      const collector = yield* startCollector()
      const begun = (traceId: string, sampled: boolean) =>
        Effect.withParentSpan(nested, Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7", sampled }))
      const [chosen, other] = ["4bf92f3577b34da6a3ce929d0e0e4736", "5bf92f3577b34da6a3ce929d0e0e4736"]
      yield* exported(
        { ...optionsFor(collector), sampling: { ratio: 0, followsParent: true } },
        Effect.zipRight(begun(chosen, true), begun(other, false))
      )
      assert.deepStrictEqual(collector.spans.map(({ name, traceId }) => [name, traceId]), [
        ["inner", chosen],
        ["outer", chosen]
      ])
      assert.strictEqual(collector.spans[1]?.parentSpanId, "00f067aa0ba902b7")
    }))

  it.scopedLive("keeps whole traces in which something failed, whatever the ratio", () =>
    Effect.gen(function*() {
      const collector = yield* startCollector()
      const fails = Effect.fail(new Failed({ message: "no" })).pipe(Effect.withSpan("fails"), Effect.ignore)
      const notes = Effect.withSpan(Effect.annotateCurrentSpan("error.type", "503"), "notes")
      const dies = Effect.die("broken").pipe(Effect.withSpan("dies"), Effect.catchAllDefect(() => Effect.void))
      const stops = Effect.interrupt.pipe(Effect.withSpan("stops"), Effect.exit)
      const traces = [nested, fails, notes, dies, stops].map((work) =>
        Effect.withSpan(Effect.zipRight(nested, work), "root", { root: true })
      )
      yield* exported({ ...optionsFor(collector), sampling: { ratio: 0, followsParent: true } }, Effect.all(traces))
      const ids = new Set(collector.spans.map(({ traceId }) => traceId))
      const names = Array.from(ids, (id) =>
        collector.spans.filter(({ traceId }) => traceId === id).map(({ name }) => name))
      assert.deepStrictEqual(names, ["fails", "notes", "dies"].map((name) => ["inner", "outer", name, "root"]))
      const errors = collector.spans.filter(({ status }) =>
        status.code === 2
      )
      assert.deepStrictEqual(errors.map((span) => [span.name, attributesOf(span)["error.type"], span.status.message]), [
        ["fails", "Failed", "no"],
        ["notes", "503", "503"],
        ["dies", "defect", "it failed unexpectedly"]
      ])
      assert.notInclude(JSON.stringify(errors.map(attributesOf)), "interrupted")
    }))

  it.scopedLive("chooses the ratio of traces by their ids, the same for all services", () =>
    Effect.gen(function*() {
      const collector = yield* startCollector()
      yield* exported(
        { ...optionsFor(collector), sampling: { ratio: 0.25, followsParent: false } },
        Effect.repeatN(Effect.withSpan(Effect.void, "root", { root: true }), 2_000)
      )
      assert.isTrue(collector.spans.every(({ traceId }) => Number.parseInt(traceId.slice(-13), 16) < 0.25 * 16 ** 13))
      assert.isAbove(collector.spans.length, 350)
      assert.isBelow(collector.spans.length, 650)
    }))

  it.scopedLive("shows no secrets and personal data", () =>
    Effect.gen(function*() {
      const collector = yield* startCollector()
      const leak = "+919876543210 sk_test_main_quiet012345 https://me:quiet@host.example/quiet?key=quiet"
      const work = Effect.zipRight(Effect.logError(leak, { leak }), Effect.fail(new Failed({ message: leak }))).pipe(
        Effect.annotateLogs("leak", leak),
        Effect.withSpan("work", { attributes: { text: leak, list: [leak], object: { leak } } }),
        Effect.ignore
      )
      yield* exported(
        optionsFor(collector),
        Effect.provide(work, Logger.replace(Logger.defaultLogger, Logger.none))
      )
      const [body] = collector.bodies
      assert.match(body ?? "", /host\.example[^]*effect\.logLevel/)
      assert.notMatch(body ?? "", /quiet|98765/)
    }))

  it.scopedLive("tells once why a collector cannot be reached, and what to check", () =>
    Effect.gen(function*() {
      const gone = yield* Effect.scoped(startCollector())
      const refusing = yield* startCollector(401)
      const messages: Array<string> = []
      const logger = Logger.make(({ message }) => void messages.push(String(message)))
      for (const { endpoint } of [gone, refusing]) {
        yield* Effect.scoped(
          Effect.provide(
            Effect.zipRight(Effect.repeatN(nested, 600), Effect.sleep("50 millis")),
            Layer.provideMerge(
              Telemetry.layer({ ...optionsFor({ endpoint }), headers: { "x-key": "secret" } }),
              Logger.replace(Logger.defaultLogger, logger)
            )
          )
        )
      }
      assert.deepStrictEqual(messages, [
        `Traces cannot be sent to ${gone.endpoint}: the connection was refused. They are dropped until it takes them. `
        + "Check the endpoint of telemetry (OTEL_EXPORTER_OTLP_ENDPOINT).",
        `Traces cannot be sent to ${refusing.endpoint}: it answered with the status 401. They are dropped until it takes `
        + "them. Check the headers of telemetry (OTEL_EXPORTER_OTLP_HEADERS)."
      ])
    }))
})
