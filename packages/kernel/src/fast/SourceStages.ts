import { type Cause, Effect, Exit, type Stream } from "effect"
import { flatMapNow, matchCauseNow } from "./Immediate.js"
import { firstPoll, fromSource, mapPoll, type OpenStream, type Pull, toSource } from "./PullStream.js"

/** A started stream that is read by plain calls. */
type PolledStream<A, E> = Pick<OpenStream<A, E>, "close" | "poll" | "wait">

/**
 * Makes a stream that starts with its first pull. `start` is that pull: it gives the started stream to `opened`, which
 * returns the elements that are there.
 *
 * @example
 * ```ts
 * const answers = startSource<Answer, Failure>((opened) => flatMapNow(check(request), () => opened(ask(request))))
 * ```
 */
export const startSource = <A, E>(
  start: (opened: <E2 extends E>(source: PolledStream<A, E2>) => Pull<A, E2>) => Pull<A, E>
): Stream.Stream<A, E> =>
  fromSource<A, E>(() => {
    let source: PolledStream<A, E> | undefined
    return {
      poll: () =>
        source === undefined
          ? start((openedStream) => {
            source = openedStream
            return firstPoll(openedStream)
          })
          : source.poll(),
      wait: (ready) => source?.wait(ready),
      close: Effect.suspend(() => source?.close ?? Effect.void)
    }
  })

/**
 * Makes a stage over a stream. `begin` starts it, and returns what becomes of the elements of each chunk, and of null, the
 * end; the stage is over after what that returns. `stop` closes the stream, and ends the stage after the current chunk.
 *
 * @example
 * ```ts
 * const frames = mapSource(events, () => (chunk) => Exit.succeed(chunk === null ? [doneFrame] : chunk.map(frameOf)))
 * ```
 */
export const mapSource = <A, E, B, E2 = never>(
  stream: Stream.Stream<A, E>,
  begin: (stop: Effect.Effect<void>) => (elements: ReadonlyArray<A> | null) => Pull<B, E2>
): Stream.Stream<B, E | E2> =>
  fromSource<B, E | E2>(() => {
    const { close, poll, wait } = toSource(stream)
    let isOver = false
    const change = begin(Effect.suspend(() => {
      isOver = true
      return close
    }))
    const next = (elements: ReadonlyArray<A> | null): Pull<B, E2> => {
      isOver ||= elements === null
      return change(elements)
    }
    return { poll: () => isOver ? Exit.succeed(null) : mapPoll(poll(), next), wait, close }
  })

/** Like `Stream.unwrap`, where the effect runs with the first pull. */
export const unwrapSource = <A, E, E2>(effect: Effect.Effect<Stream.Stream<A, E>, E2>): Stream.Stream<A, E | E2> =>
  startSource<A, E | E2>((opened) => flatMapNow(effect, (stream) => opened(toSource(stream))))

/** Like `Stream.suspend`: makes the stream with the first pull. */
export const suspendSource = <A, E>(make: () => Stream.Stream<A, E>): Stream.Stream<A, E> =>
  startSource<A, E>((opened) => opened(toSource(make())))

/** Like `Stream.catchAllCause`. */
export const catchPullCause = <A, E, E2>(
  stream: Stream.Stream<A, E>,
  recover: (cause: Cause.Cause<E>) => Stream.Stream<A, E2>
): Stream.Stream<A, E2> =>
  fromSource<A, E2>(() => {
    const first = toSource(stream)
    let second: OpenStream<A, E2> | undefined
    const startSecond = (cause: Cause.Cause<E>): Pull<A, E2> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(first.close, () => {
          second = toSource(recover(cause))
          return restore(firstPoll(second))
        })
      )
    const guard = (pull: Pull<A, E>): Pull<A, E2> =>
      matchCauseNow(pull, { onFailure: startSecond, onSuccess: Exit.succeed })
    return {
      poll: () => {
        if (second !== undefined) return second.poll()
        const pull = first.poll()
        return pull && guard(pull)
      },
      wait: (ready) => (second ?? first).wait(ready),
      close: Effect.suspend(() => second?.close ?? first.close)
    }
  })

/** Like `Stream.ensuring`: runs the finalizer when the stream ends or fails, or when its reader leaves. */
export const ensurePull = <A, E>(stream: Stream.Stream<A, E>, finalizer: Effect.Effect<void>): Stream.Stream<A, E> =>
  fromSource(() => {
    const { close, poll, wait } = toSource(stream)
    let isOver = false
    const end = Effect.uninterruptible(Effect.suspend(() => {
      if (isOver) return Effect.void
      isOver = true
      return Effect.ensuring(close, finalizer)
    }))
    const withEnd = (pull: Pull<A, E>): Pull<A, E> =>
      matchCauseNow(pull, {
        onFailure: (cause) => Effect.zipRight(end, Effect.failCause(cause)),
        onSuccess: (elements) => elements === null ? Effect.as(end, null) : Exit.succeed(elements)
      })
    return {
      poll: () => {
        const pull = poll()
        return pull && withEnd(pull)
      },
      wait,
      close: end
    }
  })
