import { Cause, Context, DefaultServices, Exit, Option, Tracer } from "effect"
import type { HeldSpan, HeldTrace, HeldTraces } from "./HeldTraces.js"
import { isSampled, type TraceSampling } from "./Sampler.js"
import { errorType, failed, isShort, shownExit, shownText, shownValue } from "./ShownAttributes.js"
import { makeSpanId, makeTraceId } from "./SpanIds.js"

/** Attribute that says which error an operation ended with. */
const errorTypeKey = "error.type"

/** Attributes that Effect adds and that no collector needs. */
const surplus = new Set(["code.stacktrace"])

/** Room of a span and its ids without its texts, in bytes. */
const spanBytes = 400

/** An attribute, and the one that was noted before it. */
interface Note {
  readonly name: string
  readonly value: unknown
  readonly before: Note | undefined
}

type Event = readonly [name: string, startTime: bigint, attributes: Record<string, unknown>]

/** Parts of a span that its tracer is given. */
interface SpanParts {
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: ReadonlyArray<Tracer.SpanLink>
  readonly startTime: bigint
  readonly kind: Tracer.SpanKind
}

/** Parts that the spans of a tracer share. */
interface TailOptions {
  readonly held: HeldTraces<TailSpan>
  readonly sampling: TraceSampling
}

const noEvents: ReadonlyArray<Event> = []

/**
 * A span that may wait for the rest of its trace. Most are forgotten, so it only notes what it is told: a span of the exporter is
 * made, with its texts redacted, when it is exported, and its id when somebody asks for it.
 */
export class TailSpan implements HeldSpan {
  readonly _tag = "Span"
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  readonly traceId: string
  readonly trace: HeldTrace<TailSpan>
  status: Tracer.SpanStatus
  links: ReadonlyArray<Tracer.SpanLink>
  readonly #held: HeldTraces<TailSpan>
  readonly #isRoot: boolean
  #note: Note | undefined
  #events = noEvents
  #spanId: string | undefined
  #error: unknown

  constructor({ context, kind, links, name, parent, startTime }: SpanParts, { held, sampling }: TailOptions) {
    this.name = name
    this.parent = parent
    this.context = context
    this.kind = kind
    this.links = links
    this.status = { _tag: "Started", startTime }
    this.#held = held
    const above = Option.getOrUndefined(parent)
    this.traceId = above?.traceId ?? makeTraceId()
    this.#isRoot = !(above instanceof TailSpan)
    this.trace = above instanceof TailSpan ? above.trace : held.begin(isSampled(sampling, this.traceId, above))
  }

  get spanId(): string {
    return this.#spanId ??= makeSpanId()
  }

  get sampled(): boolean {
    return this.trace.isSampled
  }

  get attributes(): ReadonlyMap<string, unknown> {
    const notes: Array<Note> = []
    for (let note = this.#note; note !== undefined; note = note.before) notes.unshift(note)
    return new Map(notes.map(({ name, value }) => [name, shownValue(value)]))
  }

  get bytes(): number {
    let bytes = spanBytes + 2 * this.name.length
    for (let note = this.#note; note !== undefined; note = note.before) {
      bytes += 64 + (typeof note.value === "string" ? 2 * note.value.length : 8)
    }
    return bytes
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (Exit.isFailure(exit)) this.#fail(exit.cause)
    const outcome = Exit.isSuccess(exit) ? this.#success() : shownExit(exit)
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit: outcome }
    this.#held.add(this.trace, this, this.#isRoot)
  }

  #fail(cause: Cause.Cause<unknown>): void {
    if (Cause.isInterruptedOnly(cause)) return
    if (this.#error === undefined) this.attribute(errorTypeKey, errorType(cause))
    this.trace.hasFailed = true
  }

  #success(): Exit.Exit<unknown, unknown> {
    return typeof this.#error === "string" ? failed(this.#error, this.#error) : Exit.void
  }

  attribute(name: string, value: unknown): void {
    if (surplus.has(name)) return
    if (name === errorTypeKey) {
      this.trace.hasFailed = true
      this.#error = shownValue(value)
    }
    // Values that may be large or may change later are cut and written now, the others when they are exported.
    this.#note = { name, value: isShort(value) ? value : shownValue(value), before: this.#note }
  }

  event(name: string, startTime: bigint, attributes: Record<string, unknown> = {}): void {
    const entries = Object.entries(attributes).map(([key, value]) => [key, shownValue(value)] as const)
    // Effect adds what is logged within a span as events.
    this.#events = [...this.#events, [shownText(name), startTime, Object.fromEntries(entries)]]
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links = [...this.links, ...links]
  }

  /** Makes the span of an exporter from what this one has noted, and ends it, which exports it. */
  export(exporter: Tracer.Tracer): void {
    const { context, kind, links, name, parent, spanId, status, traceId } = this
    if (status._tag === "Started") return
    const span = Object.assign(exporter.span(name, parent, context, [...links], status.startTime, kind), {
      spanId,
      traceId
    })
    this.attributes.forEach((value, key) => span.attribute(key, value))
    for (const event of this.#events) span.event(...event)
    span.end(status.endTime, status.exit)
  }
}

/** The way in which Effect runs a step by default. Where all tracers share it, it takes the least time. */
const { context: runStep } = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/**
 * Makes a tracer whose spans wait with others of their trace. They are exported when it was chosen, or when something in it has
 * failed.
 */
export const makeTailTracer = (options: TailOptions): Tracer.Tracer =>
  Tracer.make({
    context: runStep,
    span: (name, parent, context, links, startTime, kind) =>
      new TailSpan({ name, parent, context, links, startTime, kind }, options)
  })
