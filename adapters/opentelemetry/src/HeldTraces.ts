import type { Tracer } from "effect"

/** A span that has ended, with its rough size in memory. */
export interface HeldSpan extends Tracer.Span {
  readonly bytes: number
}

/** The part of a trace in this process, under one root. */
export interface HeldTrace<Span extends HeldSpan> {
  readonly isSampled: boolean
  /** True once something in the trace has failed. */
  hasFailed: boolean
  /** True once the root has ended. */
  isOver: boolean
  spans: Array<Span>
  bytes: number
}

/**
 * Spans of traces that were not chosen. They wait until something in their trace fails, which exports them, or its root has ended,
 * which forgets them. Those of other traces do not wait.
 */
export interface HeldTraces<Span extends HeldSpan> {
  readonly begin: (isSampled: boolean) => HeldTrace<Span>
  /** Takes a span that has ended. */
  readonly add: (trace: HeldTrace<Span>, span: Span, isRoot: boolean) => void
}

/**
 * Makes the place of waiting spans. It holds at most `maxBytes`: beyond that, spans of the trace that has waited longest are
 * dropped and counted.
 */
export const makeHeldTraces = <Span extends HeldSpan>({ dropped, maxBytes, release }: {
  readonly maxBytes: number
  /** Exports a span. */
  readonly release: (span: Span) => void
  /** Told the number of spans that were dropped. */
  readonly dropped: (count: number) => void
}): HeldTraces<Span> => {
  const waiting = new Set<HeldTrace<Span>>()
  let bytes = 0

  const take = (trace: HeldTrace<Span>): ReadonlyArray<Span> => {
    const { spans } = trace
    if (spans.length === 0) return spans
    waiting.delete(trace)
    bytes -= trace.bytes
    trace.spans = []
    trace.bytes = 0
    return spans
  }

  const shrink = (): void => {
    for (const oldest of waiting) {
      if (bytes <= maxBytes) return
      dropped(take(oldest).length)
    }
  }

  return {
    begin: (isSampled) => ({ isSampled, hasFailed: false, isOver: false, spans: [], bytes: 0 }),
    add: (trace, span, isRoot) => {
      if (trace.isSampled || trace.hasFailed) {
        take(trace).forEach(release)
        release(span)
        return
      }
      if (isRoot) {
        trace.isOver = true
        take(trace)
      }
      if (trace.isOver) return
      if (trace.spans.length === 0) waiting.add(trace)
      const size = span.bytes
      trace.spans.push(span)
      trace.bytes += size
      bytes += size
      if (bytes > maxBytes) shrink()
    }
  }
}
