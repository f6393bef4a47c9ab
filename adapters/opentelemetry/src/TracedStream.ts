import {
  CurrentSpanTexts,
  firstPoll,
  fromSource,
  hasExit,
  isTraced,
  type OpenStream,
  type Pull,
  type SpanOptions,
  toSource,
  withParent
} from "@trunkline/kernel"
import { type Clock, Effect, Exit, FiberId, type Stream, type Tracer } from "effect"

/** The span of a stream, and what it tells. */
interface StreamSpan<A> {
  readonly name: string
  readonly options: () => SpanOptions
  /** Attributes after elements, and the milliseconds since the beginning; `isFirst` for the first ones. */
  readonly onElements?: (
    elements: ReadonlyArray<A>,
    at: { readonly isFirst: boolean; readonly millis: number }
  ) => Readonly<Record<string, unknown>>
  /** Attributes at the end. */
  readonly onEnd?: () => Readonly<Record<string, unknown>>
}

interface OpenSpan {
  readonly span: Tracer.Span
  readonly clock: Clock.Clock
  readonly startedAt: number
}

const note = (span: Tracer.Span, attributes: Readonly<Record<string, unknown>> | undefined): void => {
  for (const name in attributes) span.attribute(name, attributes[name])
}

/**
 * Runs a stream in a span from its first pull to its end. It stays as it is where nothing reads the span. `make` is told if texts
 * may be in it.
 */
export const tracedStream = <A, E>(
  stream: Stream.Stream<A, E>,
  make: (hasTexts: boolean) => StreamSpan<A>
): Stream.Stream<A, E> =>
  fromSource<A, E>(() => {
    let source: OpenStream<A, E> | undefined
    let open: OpenSpan | undefined
    let isFirst = true
    let streamSpan: StreamSpan<A> | undefined

    const end = (exit: Exit.Exit<unknown, unknown>): void => {
      if (open === undefined) return
      const { clock, span } = open
      open = undefined
      note(span, streamSpan?.onEnd?.())
      span.end(clock.unsafeCurrentTimeNanos(), exit)
    }

    const watch = (exit: Exit.Exit<ReadonlyArray<A> | null, E>): void => {
      if (Exit.isFailure(exit)) return end(exit)
      if (exit.value === null) return end(Exit.void)
      if (open === undefined || exit.value.length === 0) return
      const millis = open.clock.unsafeCurrentTimeMillis() - open.startedAt
      note(open.span, streamSpan?.onElements?.(exit.value, { isFirst, millis }))
      isFirst = false
    }

    const watchPull = (pull: Pull<A, E>): Pull<A, E> => {
      if (!hasExit(pull)) return Effect.onExit(pull, (exit) => Effect.sync(() => watch(exit)))
      watch(pull)
      return pull
    }

    const start: Pull<A, E> = Effect.withFiberRuntime((fiber) => {
      const startedStream = toSource(stream)
      source = startedStream
      if (!isTraced(fiber)) return firstPoll(startedStream)
      streamSpan = make(fiber.getFiberRef(CurrentSpanTexts))
      const spanAndClock = Effect.zip(
        Effect.makeSpan(streamSpan.name, { captureStackTrace: false, ...streamSpan.options() }),
        Effect.clock
      )
      return Effect.flatMap(spanAndClock, ([span, clock]) => {
        open = { span, clock, startedAt: clock.unsafeCurrentTimeMillis() }
        return withParent(span)(watchPull(firstPoll(startedStream)))
      })
    })

    return {
      poll: () => {
        if (source === undefined) return start
        const nextPull = source.poll()
        return nextPull === undefined || open === undefined ? nextPull : watchPull(nextPull)
      },
      wait: (ready) => source?.wait(ready),
      close: Effect.suspend(() =>
        Effect.ensuring(source?.close ?? Effect.void, Effect.sync(() => end(Exit.interrupt(FiberId.none))))
      )
    }
  })
