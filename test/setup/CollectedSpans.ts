import { CurrentSpanTexts } from "@trunkline/kernel"
import { Effect, Layer, Option, Tracer } from "effect"

/** Spans of a test, over the tracer of Effect. */
export interface CollectedSpans {
  readonly spans: ReadonlyArray<Tracer.Span>
  readonly layer: Layer.Layer<never>
}

/** Makes a collection of spans, which may have texts. */
export const collectSpans = (hasTexts = false): Effect.Effect<CollectedSpans> =>
  Effect.map(Effect.tracer, ({ context, span }) => {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      context,
      span: (...options) => {
        const made = span(...options)
        spans.push(made)
        return made
      }
    })
    const layer = Layer.merge(
      Layer.setTracer(tracer),
      Layer.scopedDiscard(Effect.locallyScoped(CurrentSpanTexts, hasTexts))
    )
    return { spans, layer }
  })

/** Names from the root to a span. */
export const pathOf = (span: Tracer.AnySpan): ReadonlyArray<string> =>
  span._tag === "ExternalSpan"
    ? []
    : [...Option.match(span.parent, { onNone: () => [], onSome: pathOf }), span.name]
