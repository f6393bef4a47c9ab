import { type Cause, Effect, Exit, type Stream } from "effect"
import { flatMapNow, matchCauseNow } from "./Immediate.js"
import { firstPoll, fromSource, type OpenStream, type Pull, toSource } from "./PullStream.js"

/** Like `Stream.unwrap`, where the effect runs with the first pull. */
export const unwrapSource = <A, E, E2>(effect: Effect.Effect<Stream.Stream<A, E>, E2>): Stream.Stream<A, E | E2> =>
  fromSource<A, E | E2>(() => {
    let source: OpenStream<A, E> | undefined
    const start = () =>
      flatMapNow(effect, (stream) => {
        source = toSource(stream)
        return firstPoll(source)
      })
    return {
      poll: () => source === undefined ? start() : source.poll(),
      wait: (ready) => source?.wait(ready),
      close: Effect.suspend(() => source?.close ?? Effect.void)
    }
  })

/** Like `Stream.suspend`: makes the stream with the first pull. */
export const suspendSource = <A, E>(make: () => Stream.Stream<A, E>): Stream.Stream<A, E> =>
  fromSource(() => {
    let source: OpenStream<A, E> | undefined
    return {
      poll: () => (source ??= toSource(make())).poll(),
      wait: (ready) => source?.wait(ready),
      close: Effect.suspend(() => source?.close ?? Effect.void)
    }
  })

/** Like `Stream.catchAllCause`. */
export const catchPullCause = <A, E, E2>(
  stream: Stream.Stream<A, E>,
  recover: (cause: Cause.Cause<E>) => Stream.Stream<A, E2>
): Stream.Stream<A, E2> =>
  fromSource<A, E2>(() => {
    const first = toSource(stream)
    let second: OpenStream<A, E2> | undefined
    const recovered = (cause: Cause.Cause<E>): Pull<A, E2> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(first.close, () => {
          second = toSource(recover(cause))
          return restore(firstPoll(second))
        })
      )
    const guarded = (polled: Pull<A, E>): Pull<A, E2> =>
      matchCauseNow(polled, { onFailure: recovered, onSuccess: Exit.succeed })
    return {
      poll: () => {
        if (second !== undefined) return second.poll()
        const polled = first.poll()
        return polled && guarded(polled)
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
    const ended = (polled: Pull<A, E>): Pull<A, E> =>
      matchCauseNow(polled, {
        onFailure: (cause) => Effect.zipRight(end, Effect.failCause(cause)),
        onSuccess: (elements) => elements === null ? Effect.as(end, null) : Exit.succeed(elements)
      })
    return {
      poll: () => {
        const polled = poll()
        return polled && ended(polled)
      },
      wait,
      close: end
    }
  })
