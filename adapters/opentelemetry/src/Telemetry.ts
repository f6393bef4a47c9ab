import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { CurrentSpanTexts } from "@trunkline/kernel"
import { Data, Duration, Effect, Layer, Metric, Schedule } from "effect"
import { makeCollectorClient } from "./CollectorClient.js"
import { makeHeldTraces } from "./HeldTraces.js"
import type { TraceSampling } from "./Sampler.js"
import { corrected } from "./Serialization.js"
import { makeTailTracer, type TailSpan } from "./TailTracer.js"

/** Options of the export of traces. */
export interface TelemetryOptions {
  /** Complete URL that takes traces over OTLP, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly protocol: "http/json" | "http/protobuf"
  /** Headers of the requests, such as keys. */
  readonly headers: Readonly<Record<string, string>>
  /** Time that the collector has to answer a request. */
  readonly timeout: Duration.DurationInput
  readonly serviceName: string
  /** Further attributes of the resource. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampling: TraceSampling
  /** True if spans may hold the texts of prompts, answers and tools. */
  readonly texts: boolean
}

/**
 * Most bytes of spans that wait for the rest of their trace, and of requests on their way. A request costs some five times its
 * bytes until it is answered: as text, as bytes, and in the buffers of its connection.
 */
const maxHeldBytes = 16 * 1024 * 1024
const maxSendingBytes = 2 * 1024 * 1024

/** Spans of a request. */
const batchSize = 512

/** Time that the end of the process waits for requests on their way, and then for the last one. */
const endWait = Duration.millis(400)
const lastRequest = Duration.millis(500)

const dropCounter = Metric.counter("trunkline_spans_dropped", { incremental: true })

/** The package of the exporter is not installed. */
class ExporterMissing extends Data.TaggedError("ExporterMissing")<{ readonly cause: unknown }> {
  override get message() {
    return "Telemetry needs packages: npm i @effect/opentelemetry@0.64.1 @effect/platform@0.97.2"
  }
}

/** Exports the spans of everything above it. Fails where the package of the exporter is not installed. */
export const layer = (options: TelemetryOptions): Layer.Layer<never, Error> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    const { OtlpSerialization, OtlpTracer } = yield* loadExporter
    const { client, isSending, takes } = makeCollectorClient(yield* HttpClient.HttpClient, {
      ...options,
      clock: yield* Effect.clock,
      maxBytes: maxSendingBytes,
      maxSpans: batchSize
    })
    const { serialization } = yield* Effect.map(
      OtlpSerialization.OtlpSerialization,
      (serialization) => ({ serialization: { ...serialization, traces: corrected(serialization.traces) } })
    ).pipe(Effect.provide(
      options.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
    ))
    const exporter = yield* OtlpTracer.make({
      url: options.url,
      headers: options.headers,
      resource: { serviceName: options.serviceName, attributes: { ...options.resource } },
      maxBatchSize: batchSize,
      shutdownTimeout: lastRequest
    }).pipe(
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.provideService(OtlpSerialization.OtlpSerialization, serialization)
    )
    const drop = (count: number): void => {
      dropCounter.unsafeUpdate(count, [])
    }
    const heldTraces = makeHeldTraces<TailSpan>({
      maxBytes: maxHeldBytes,
      dropped: drop,
      release: (span) => {
        if (takes()) span.export(exporter)
        else drop(1)
      }
    })
    const isSent = Effect.sync(() => !isSending())
    yield* Effect.addFinalizer(() =>
      Effect.repeat(isSent, { until: (isSent) => isSent, schedule: Schedule.spaced("20 millis") }).pipe(
        Effect.interruptible,
        Effect.timeoutOption(endWait)
      )
    )
    return Layer.mergeAll(
      Layer.setTracer(makeTailTracer({ held: heldTraces, sampling: options.sampling })),
      Layer.setTracerEnabled(true),
      Layer.scopedDiscard(Effect.locallyScoped(CurrentSpanTexts, options.texts))
    )
  })).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "error" }))
  )

const loadExporter = Effect.tryPromise({
  try: async () => ({
    OtlpSerialization: await import("@effect/opentelemetry/OtlpSerialization"),
    OtlpTracer: await import("@effect/opentelemetry/OtlpTracer")
  }),
  catch: (cause) => new ExporterMissing({ cause })
})
