import { type Cause, Channel, Chunk, Effect, Either, ExecutionStrategy, Exit, Scope, Stream } from "effect"

/** Waits for the next elements of a stream, of which there may be none yet; null at its end. */
export type Pull<A, E = never> = Effect.Effect<ReadonlyArray<A> | null, E>

/** Starts a stream, whose resources live as long as the scope. */
export type OpenPull<A, E = never> = Effect.Effect<Pull<A, E>, E, Scope.Scope>

const openPull: unique symbol = Symbol.for("@trunkline/kernel/openPull")

/** A stream that can be pulled without an executor of channels. */
interface PullStream<A, E> extends Stream.Stream<A, E> {
  readonly [openPull]: OpenPull<A, E>
}

const isPullStream = <A, E>(stream: Stream.Stream<A, E>): stream is PullStream<A, E> => openPull in stream

const emit = <A, E>(pull: Pull<A, E>): Channel.Channel<Chunk.Chunk<A>, unknown, E> =>
  Channel.flatMap(
    Channel.fromEffect(pull),
    (elements) =>
      elements === null
        ? Channel.void
        : Channel.flatMap(Channel.write(Chunk.unsafeFromArray(elements)), () => emit(pull))
  )

/**
 * Makes a stream from a pull. Stages of streams that are written with this function, `toPull` and the operators below cost
 * an effect per chunk, where those of `Stream` cost some microseconds. To all others it is a stream like any other.
 */
export const fromPull = <A, E>(open: OpenPull<A, E>): Stream.Stream<A, E> => {
  const stream: Stream.Stream<A, E> = Stream.suspend(() =>
    Stream.fromChannel(Channel.acquireUseRelease(
      Scope.make(),
      (scope) => Channel.unwrap(Effect.map(Scope.extend(open, scope), emit)),
      (scope, exit) => Scope.close(scope, exit)
    ))
  )
  return Object.assign(stream, { [openPull]: open })
}

/** Starts a stream in the current scope. The pull must not be used again after it has ended or failed. */
export const toPull = <A, E>(stream: Stream.Stream<A, E>): OpenPull<A, E> =>
  isPullStream(stream)
    ? stream[openPull]
    : Effect.map(
      Channel.toPull(Stream.toChannel(stream)),
      Effect.map(Either.match({ onLeft: () => null, onRight: Chunk.toReadonlyArray }))
    )

/** A started stream, and an effect that stops it before its scope ends. */
export interface OpenStream<A, E> {
  readonly pull: Pull<A, E>
  readonly close: Effect.Effect<void>
}

/** Starts a stream that can be stopped before the current scope ends. */
export const openStream = <A, E>(
  makeStream: () => Stream.Stream<A, E>
): Effect.Effect<OpenStream<A, E>, E, Scope.Scope> =>
  Effect.flatMap(
    Effect.scope,
    (parent) =>
      Effect.flatMap(Scope.fork(parent, ExecutionStrategy.sequential), (scope) =>
        Effect.map(
          Effect.onError(
            Scope.extend(Effect.suspend(() => toPull(makeStream())), scope),
            (cause) => Scope.close(scope, Exit.failCause(cause))
          ),
          (pull) => ({ pull, close: Scope.close(scope, Exit.void) })
        ))
  )

/** Like `Stream.unwrapScoped`. */
export const unwrapPull = <A, E, E2>(
  effect: Effect.Effect<Stream.Stream<A, E>, E2, Scope.Scope>
): Stream.Stream<A, E | E2> => fromPull<A, E | E2>(Effect.flatMap(effect, toPull))

/** Like `Stream.catchAllCause`. */
export const catchPullCause = <A, E, E2>(
  stream: Stream.Stream<A, E>,
  recover: (cause: Cause.Cause<E>) => Stream.Stream<A, E2>
): Stream.Stream<A, E2> =>
  fromPull(Effect.map(Effect.scope, (scope) => {
    const recovered = (cause: Cause.Cause<E>): Pull<A, E2> =>
      Effect.flatMap(Scope.extend(Effect.suspend(() => toPull(recover(cause))), scope), (pull) => {
        current = pull
        return pull
      })
    const opened = Scope.extend(openStream(() => stream), scope)
    let current: Pull<A, E2> = Effect.matchCauseEffect(opened, {
      onFailure: recovered,
      onSuccess: ({ close, pull }) => {
        current = Effect.catchAllCause(pull, (cause) => Effect.zipRight(close, recovered(cause)))
        return current
      }
    })
    return Effect.suspend(() => current)
  }))

/** Like `Stream.ensuring`: runs the finalizer when the stream ends or fails, or when its reader leaves. */
export const ensurePull = <A, E>(stream: Stream.Stream<A, E>, finalizer: Effect.Effect<void>): Stream.Stream<A, E> =>
  fromPull(Effect.suspend(() => {
    let isOver = false
    const once = Effect.suspend(() => {
      if (isOver) return Effect.void
      isOver = true
      return finalizer
    })
    const opened = Effect.zipRight(Effect.addFinalizer(() => once), openStream(() => stream))
    return Effect.map(opened, ({ close, pull }) => {
      const end = Effect.uninterruptible(Effect.zipRight(close, once))
      return Effect.matchCauseEffect(pull, {
        onFailure: (cause) => Effect.zipRight(end, Effect.failCause(cause)),
        onSuccess: (elements) => elements === null ? Effect.as(end, null) : Effect.succeed(elements)
      })
    })
  }))
