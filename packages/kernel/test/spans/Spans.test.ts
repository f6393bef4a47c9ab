import { assert, describe, it } from "@effect/vitest"
import { currentTraceHeaders, noteSpan, withSpan } from "@trunkline/kernel"
import { Effect, Fiber, Option, Tracer } from "effect"

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

  it.effect("leave the context of their fiber as it was, and are the parents of what they fork", () =>
    Effect.gen(function*() {
      const { spans, tracer } = yield* counting
      const traced = Effect.gen(function*() {
        const before = yield* Effect.context<never>()
        const inner = Effect.fork(withSpan("inner")(Effect.void))
        const joined = yield* Effect.flatMap(inner, Fiber.join).pipe(withSpan("outer"), Effect.fork)
        yield* Fiber.join(joined)
        yield* Effect.exit(withSpan("failed")(Effect.fail("no")))
        yield* Effect.exit(withSpan("interrupted")(Effect.interrupt))
        yield* withSpan("last")(Effect.void)
        assert.strictEqual(yield* Effect.context<never>(), before)
      })
      yield* Effect.withTracer(traced, tracer)
      const parents = spans.map(({ name, parent }) => {
        const above = Option.getOrUndefined(parent)
        return [name, above?._tag === "Span" ? above.name : null]
      })
      assert.deepStrictEqual(parents, [
        ["outer", null],
        ["inner", "outer"],
        ["failed", null],
        ["interrupted", null],
        ["last", null]
      ])
      assert.isTrue(spans.every(({ status }) => status._tag === "Ended"))
    }))
})
