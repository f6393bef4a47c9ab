import { Channel, Chunk, Effect, Either, ExecutionStrategy, Exit, Scope, Stream } from "effect"
import { flatMapNow } from "./Immediate.js"

/** Waits for the next elements of a stream, of which there may be none yet; null at its end. */
export type Pull<A, E = never> = Effect.Effect<ReadonlyArray<A> | null, E>

/** Starts a stream, whose resources live as long as the scope. */
export type OpenPull<A, E = never> = Effect.Effect<Pull<A, E>, E, Scope.Scope>

/** A started stream, read by effects or by plain calls. */
export interface OpenStream<A, E> {
  readonly pull: Pull<A, E>
  /**
   * Takes the next elements like `pull`. A result that is known is an `Exit`; undefined means that nothing has arrived, and
   * that `wait` calls back. Any other effect has to run before the next call.
   */
  readonly poll: () => Pull<A, E> | undefined
  /** Calls back once, as soon as polling is worthwhile again; replaces an earlier callback. */
  readonly wait: (ready: () => void) => void
  /** Stops the stream; may run several times, also after the end. */
  readonly close: Effect.Effect<void>
}

/** A started stream as it is written: with a pull, or with plain calls, which pass the elements that are there without a fiber. */
export type StartedStream<A, E> =
  | Pick<OpenStream<A, E>, "pull" | "close">
  | Pick<OpenStream<A, E>, "poll" | "wait" | "close">

const openPull: unique symbol = Symbol.for("@trunkline/kernel/openPull")
const openSource: unique symbol = Symbol.for("@trunkline/kernel/openSource")

/** A stream that can be pulled without an executor of channels. */
interface PullStream<A, E> extends Stream.Stream<A, E> {
  readonly [openPull]: OpenPull<A, E>
}

/** A pull stream that starts without an effect. */
interface SourceStream<A, E> extends Stream.Stream<A, E> {
  readonly [openSource]: () => StartedStream<A, E>
}

const isPullStream = <A, E>(stream: Stream.Stream<A, E>): stream is PullStream<A, E> => openPull in stream

const isSourceStream = <A, E>(stream: Stream.Stream<A, E>): stream is SourceStream<A, E> => openSource in stream

const emit = <A, E>(pull: Pull<A, E>): Channel.Channel<Chunk.Chunk<A>, unknown, E> =>
  Channel.flatMap(
    Channel.fromEffect(pull),
    (elements) =>
      elements === null
        ? Channel.void
        : elements.length === 0
        ? emit(pull)
        : Channel.flatMap(Channel.write(Chunk.unsafeFromArray(elements)), () => emit(pull))
  )

/** Completes a started stream. An exception of a plain call is a defect of that stage alone. */
const complete = <A, E>(startedStream: StartedStream<A, E>): OpenStream<A, E> => {
  const { close } = startedStream
  if ("pull" in startedStream) {
    return {
      pull: startedStream.pull,
      poll: () => startedStream.pull,
      wait: () => {},
      close
    }
  }
  const { wait } = startedStream
  const poll = () => {
    try {
      return startedStream.poll()
    } catch (defect) {
      return Exit.die(defect)
    }
  }
  return {
    get pull() {
      const pull: Pull<A, E> = Effect.suspend(() => poll() ?? arrival)
      const arrival: Pull<A, E> = Effect.async((resume) => wait(() => resume(pull)))
      return pull
    },
    poll,
    wait,
    close
  }
}

/** The poll of a stream that nothing has arrived from, as an effect. */
const nothingYet: Pull<never> = Exit.succeed([])

/** Polls a stream that has just started, as the last step of an effect. */
export const firstPoll = <A, E>({ poll }: Pick<OpenStream<A, E>, "poll">): Pull<A, E> => poll() ?? nothingYet

/** Continues with the elements that were polled: at once where they are there. */
export const mapPoll = <A, E, B, E2>(
  polled: Pull<A, E> | undefined,
  next: (elements: ReadonlyArray<A> | null) => Pull<B, E2>
): Pull<B, E | E2> | undefined => polled && flatMapNow(polled, next)

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

/**
 * Makes a stream from a plain function that starts it; what has to wait waits in the first pull. Such a stage needs no
 * scope, which costs more than its chunks where a stream is short.
 */
export const fromSource = <A, E>(open: () => StartedStream<A, E>): Stream.Stream<A, E> => {
  const stream: Stream.Stream<A, E> = Stream.suspend(() =>
    Stream.fromChannel(Channel.acquireUseRelease(
      Effect.sync(() => complete(open())),
      ({ pull }) => emit(pull),
      ({ close }) => close
    ))
  )
  return Object.assign(stream, { [openSource]: open })
}

/** Starts a stream in the current scope. The pull must not be used again after it has ended or failed. */
export const toPull = <A, E>(stream: Stream.Stream<A, E>): OpenPull<A, E> =>
  isSourceStream(stream)
    ? Effect.map(
      Effect.acquireRelease(Effect.sync(() => complete(stream[openSource]())), ({ close }) => close),
      ({ pull }) => pull
    )
    : isPullStream(stream)
    ? stream[openPull]
    : Effect.map(
      Channel.toPull(Stream.toChannel(stream)),
      Effect.map(Either.match({ onLeft: () => null, onRight: Chunk.toReadonlyArray }))
    )

/** Starts a stream whose reader closes it itself. Other streams than those of `fromSource` start with the first pull. */
export const toSource = <A, E>(stream: Stream.Stream<A, E>): OpenStream<A, E> => {
  if (isSourceStream(stream)) return complete(stream[openSource]())
  let scope: Scope.CloseableScope | undefined
  let current: Pull<A, E> = Effect.flatMap(Scope.make(), (openedScope) => {
    scope = openedScope
    return Effect.flatMap(Scope.extend(toPull(stream), openedScope), (pull) => {
      current = pull
      return pull
    })
  })
  return complete({
    pull: Effect.suspend(() => current),
    close: Effect.suspend(() => scope === undefined ? Effect.void : Scope.close(scope, Exit.void))
  })
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
          (pull) => complete({ pull, close: Scope.close(scope, Exit.void) })
        ))
  )

/** Like `Stream.unwrapScoped`. */
export const unwrapPull = <A, E, E2>(
  effect: Effect.Effect<Stream.Stream<A, E>, E2, Scope.Scope>
): Stream.Stream<A, E | E2> => fromPull<A, E | E2>(Effect.flatMap(effect, toPull))
