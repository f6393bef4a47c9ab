import type { Exit, Tracer } from "effect"

/** A span that has ended, with its end. */
interface EndedSpan {
  readonly span: Tracer.Span
  readonly endTime: bigint
  readonly exit: Exit.Exit<unknown, unknown>
  readonly bytes: number
}

/** The part of a trace in this process, under one root. */
export interface HeldTrace {
  readonly isSampled: boolean
  /** True once something in the trace has failed. */
  hasFailed: boolean
  /** True once the root has ended. */
  isOver: boolean
  spans: Array<EndedSpan>
  bytes: number
}

/**
 * Spans of traces that were not chosen. They wait until something in their trace fails, which exports them, or its root has ended,
 * which forgets them. Those of other traces do not wait.
 */
export interface HeldTraces {
  readonly begin: (isSampled: boolean) => HeldTrace
  /** Takes a span that has ended. */
  readonly add: (trace: HeldTrace, ended: EndedSpan, isRoot: boolean) => void
}

/** Room of a span and its ids without its texts, in bytes. */
const spanBytes = 800

/** Rough size of a span in memory. */
export const sizeOf = ({ attributes, name }: Tracer.Span): number => {
  let bytes = spanBytes + 2 * name.length
  for (const [key, value] of attributes) bytes += 2 * (key.length + (typeof value === "string" ? value.length : 8))
  return bytes
}

/**
 * Makes the place of waiting spans. It holds at most `maxBytes`: beyond that, spans of the trace that has waited longest are
 * dropped and counted.
 */
export const makeHeldTraces = ({ dropped, maxBytes, release }: {
  readonly maxBytes: number
  /** Exports a span. */
  readonly release: (ended: EndedSpan) => void
  /** Told the number of spans that were dropped. */
  readonly dropped: (count: number) => void
}): HeldTraces => {
  const waiting = new Set<HeldTrace>()
  let bytes = 0

  const take = (trace: HeldTrace): ReadonlyArray<EndedSpan> => {
    const { spans } = trace
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
    add: (trace, ended, isRoot) => {
      if (trace.isSampled || trace.hasFailed) {
        take(trace).forEach(release)
        release(ended)
        return
      }
      if (isRoot) {
        trace.isOver = true
        take(trace)
      }
      if (trace.isOver) return
      trace.spans.push(ended)
      trace.bytes += ended.bytes
      bytes += ended.bytes
      waiting.add(trace)
      shrink()
    }
  }
}
