import { Cause, Exit, Option, Tracer } from "effect"
import { type HeldTrace, type HeldTraces, sizeOf } from "./HeldTraces.js"
import { isSampled, type Sampling } from "./Sampler.js"
import { errorType, failed, shownExit, shownText, shownValue } from "./ShownAttributes.js"

/** Attribute that says which error an operation ended with. */
const ERROR_TYPE = "error.type"

/** Attributes that Effect adds and that no collector needs. */
const unneeded = new Set(["code.stacktrace"])

/** A span that may wait for the rest of its trace. What it tells goes to a span of the exporter, redacted. */
class TailSpan implements Tracer.Span {
  readonly _tag = "Span"
  status: Tracer.SpanStatus
  readonly #inner: Tracer.Span
  readonly #held: HeldTraces
  readonly trace: HeldTrace
  readonly #isRoot: boolean

  constructor(
    { held, inner, parent, sampling }: {
      readonly inner: Tracer.Span
      readonly parent: Option.Option<Tracer.AnySpan>
      readonly held: HeldTraces
      readonly sampling: Sampling
    }
  ) {
    this.#inner = inner
    this.#held = held
    this.status = inner.status
    const above = Option.getOrUndefined(parent)
    this.#isRoot = !(above instanceof TailSpan)
    this.trace = above instanceof TailSpan ? above.trace : held.begin(isSampled(sampling, inner.traceId, above))
  }

  get name() {
    return this.#inner.name
  }
  get spanId() {
    return this.#inner.spanId
  }
  get traceId() {
    return this.#inner.traceId
  }
  get parent() {
    return this.#inner.parent
  }
  get context() {
    return this.#inner.context
  }
  get attributes() {
    return this.#inner.attributes
  }
  get links() {
    return this.#inner.links
  }
  get kind() {
    return this.#inner.kind
  }
  get sampled() {
    return this.trace.isSampled
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    const noted = this.#inner.attributes.get(ERROR_TYPE)
    const isFailure = Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)
    if (isFailure && noted === undefined) this.attribute(ERROR_TYPE, errorType(exit.cause))
    const shown = !isFailure && typeof noted === "string" ? failed(noted, noted) : shownExit(exit)
    if (isFailure) this.trace.hasFailed = true
    const ended = { span: this.#inner, endTime, exit: shown, bytes: sizeOf(this.#inner) }
    this.#held.add(this.trace, ended, this.#isRoot)
  }

  attribute(key: string, value: unknown): void {
    if (unneeded.has(key)) return
    if (key === ERROR_TYPE) this.trace.hasFailed = true
    this.#inner.attribute(key, shownValue(value))
  }

  event(name: string, startTime: bigint, attributes: Record<string, unknown> = {}): void {
    const shown = Object.entries(attributes).map(([key, value]) => [key, shownValue(value)] as const)
    // Effect adds what is logged within a span as events.
    this.#inner.event(shownText(name), startTime, Object.fromEntries(shown))
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.#inner.addLinks(links)
  }
}

/**
 * A tracer over that of an exporter, which sees the end of a span only when its trace is exported: because it was chosen, or
 * because something in it has failed. Texts are redacted on their way.
 */
export const makeTailTracer = (
  inner: Tracer.Tracer,
  options: { readonly held: HeldTraces; readonly sampling: Sampling }
): Tracer.Tracer =>
  Tracer.make({
    context: inner.context,
    span: (name, parent, ...rest) => new TailSpan({ inner: inner.span(name, parent, ...rest), parent, ...options })
  })
