import { assert, describe, it } from "@effect/vitest"
import { currentTraceHeaders, noteSpan, withSpan } from "@trunkline/kernel"
import { Effect, Tracer } from "effect"

/** A tracer that counts its spans, over the one of Effect. */
const counting = Effect.map(Effect.tracer, ({ context, span }) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    context,
    span: (...options) => {
      const made = span(...options)
      spans.push(made)
      return made
    }
  })
  return { spans, tracer }
})

describe("spans", () => {
  it.effect("are made where a tracer reads them, with their attributes and those noted later", () =>
    Effect.gen(function*() {
      const { spans, tracer } = yield* counting
      const work = Effect.zipRight(noteSpan(() => ({ late: 2 })), currentTraceHeaders)
      const sent = yield* work.pipe(withSpan("work", () => ({ attributes: { early: 1 } })), Effect.withTracer(tracer))
      const [span] = spans
      assert.deepStrictEqual(spans.map(({ name }) => name), ["work"])
      assert.deepStrictEqual(Object.fromEntries(span?.attributes ?? []), { early: 1, late: 2 })
      assert.deepStrictEqual(sent, { traceparent: `00-${span?.traceId}-${span?.spanId}-01` })
    }))

  it.effect("are not made without a tracer, nor where tracing is off, and their options neither", () =>
    Effect.gen(function*() {
      const { spans, tracer } = yield* counting
      const never = (): never => assert.fail("options were made")
      const work = Effect.zipRight(noteSpan(never), currentTraceHeaders).pipe(withSpan("work", never))
      assert.deepStrictEqual(yield* Effect.withSpan(work, "outer"), {})
      assert.deepStrictEqual(yield* work.pipe(Effect.withTracerEnabled(false), Effect.withTracer(tracer)), {})
      assert.deepStrictEqual(spans, [])
    }))
})
