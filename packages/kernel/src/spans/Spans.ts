import {
  Clock,
  Context,
  DefaultServices,
  Effect,
  Exit,
  type Fiber,
  FiberRef,
  FiberRefs,
  GlobalValue,
  Tracer
} from "effect"
import { spanContext } from "../fast/SpanContext.js"

/** Tracer that Effect has by default; nothing reads its spans. */
const idleTracer = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Parts of a fiber that a span needs. */
type TracedFiber = Pick<
  Fiber.RuntimeFiber<unknown, unknown>,
  "currentSpan" | "currentTracer" | "getFiberRef" | "getFiberRefs" | "id"
>

/** True in a fiber whose spans are read: it has a tracer of its own, and tracing is not turned off. */
export const isTraced = (fiber: TracedFiber): boolean =>
  fiber.currentTracer !== idleTracer && fiber.getFiberRef(FiberRef.currentTracerEnabled)

/** True where spans may hold the texts of prompts, answers and tools, which are personal data; false by default. */
export const CurrentSpanTexts: FiberRef.FiberRef<boolean> = GlobalValue.globalValue(
  "@trunkline/kernel/CurrentSpanTexts",
  () => FiberRef.unsafeMake(false)
)

/** Options of a span. Attributes hold neither secrets nor personal data. */
export type SpanOptions = Omit<Tracer.SpanOptions, "captureStackTrace">

/**
 * Runs an effect with a span as the parent of its spans, and tells how it ended. Afterwards the fiber has no context of its own
 * again: one that was set back would be compared service by service with that of the fiber that joins this one.
 */
const runWithin = <A, E, R, Span extends Tracer.AnySpan>(
  effect: Effect.Effect<A, E, R>,
  { fiber, onEnd, open }: {
    readonly fiber: TracedFiber
    readonly open: Effect.Effect<Span>
    readonly onEnd?: (span: Span, exit: Exit.Exit<A, E>) => void
  }
): Effect.Effect<A, E, R> => {
  const context = fiber.getFiberRef(FiberRef.currentContext)
  const before = fiber.getFiberRefs()
  const stack = before.locals.get(FiberRef.currentContext) ?? [[fiber.id(), context]]
  return Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      open,
      (span) =>
        Effect.flatMap(FiberRef.set(FiberRef.currentContext, spanContext(context, span)), () => {
          const within = fiber.getFiberRefs()
          const end = (exit: Exit.Exit<A, E>): Effect.Effect<A, E> => {
            onEnd?.(span, exit)
            const after = fiber.getFiberRefs()
            const refs = after === within
              ? before
              : FiberRefs.unsafeMake(new Map(after.locals).set(FiberRef.currentContext, stack))
            return Effect.zipRight(Effect.updateFiberRefs(() => refs), exit)
          }
          return Effect.matchCauseEffect(restore(effect), {
            onFailure: (cause) => end(Exit.failCause(cause)),
            onSuccess: (value) => end(Exit.succeed(value))
          })
        })
    )
  )
}

/** Runs an effect in a span of a fiber. It takes half of the steps of `Effect.withSpan`. */
const runTraced = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { fiber, name, options }: { readonly fiber: TracedFiber; readonly name: string; readonly options: SpanOptions }
): Effect.Effect<A, E, R> => {
  const clock = Context.get(fiber.getFiberRef(DefaultServices.currentServices), Clock.Clock)
  return runWithin(effect, {
    fiber,
    open: Effect.makeSpan(name, { captureStackTrace: false, ...options }),
    onEnd: (span, exit) => span.end(clock.unsafeCurrentTimeNanos(), exit)
  })
}

/**
 * Runs an effect in a span where spans are read. Elsewhere the effect runs as it is, and the options are not made: a span of
 * Effect costs some microseconds also where nothing reads it. The options are told if texts may be in them.
 */
export const withSpan =
  (name: string, options: (hasTexts: boolean) => SpanOptions = () => ({})) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime<A, E, R>((fiber) =>
      isTraced(fiber)
        ? runTraced(effect, { fiber, name, options: options(fiber.getFiberRef(CurrentSpanTexts)) })
        : effect
    )

/** Runs an effect with a span as the parent of its spans: `Effect.withParentSpan` without its copy of all services. */
export const withParent = (span: Tracer.AnySpan) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime<A, E, R>((fiber) => runWithin(effect, { fiber, open: Effect.succeed(span) }))

/** Adds attributes to the current span where spans are read; they are not made elsewhere. */
export const noteSpan = (
  attributes: (hasTexts: boolean) => Readonly<Record<string, unknown>>
): Effect.Effect<void> =>
  Effect.withFiberRuntime<void>((fiber) =>
    isTraced(fiber) ? Effect.annotateCurrentSpan(attributes(fiber.getFiberRef(CurrentSpanTexts))) : Effect.void
  )

/** Headers by which the server of a request continues the trace: `traceparent` of W3C Trace Context, or none without a span. */
export const traceHeaders = (fiber: TracedFiber): { readonly traceparent?: string } => {
  const span = fiber.currentSpan
  if (span === undefined || !isTraced(fiber)) return {}
  return { traceparent: `00-${span.traceId}-${span.spanId}-${span.sampled ? "01" : "00"}` }
}

/** Headers of {@link traceHeaders} for the current fiber. */
export const currentTraceHeaders: Effect.Effect<ReturnType<typeof traceHeaders>> = Effect.withFiberRuntime((fiber) =>
  Effect.succeed(traceHeaders(fiber))
)
