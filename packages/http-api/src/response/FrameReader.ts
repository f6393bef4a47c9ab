import { fromSource, hasExit, type OpenStream, sseComment } from "@trunkline/kernel"
import { type Cause, type Effect, Exit, type Fiber, type Stream } from "effect"

/** Most frames that are taken at once, so that a stream that never waits does not fill the memory of a slow reader. */
const capacity = 64

/** Reader of frames by callbacks. */
export interface FrameReader {
  /** Takes the frames that have arrived since the last call; null at the end. */
  readonly take: () => ReadonlyArray<Uint8Array> | null
  /** Calls back once, as soon as there are frames to take or at the end; replaces an earlier callback. */
  readonly wait: (ready: () => void) => void
}

/** Readers of streams of frames. */
const readers = new WeakMap<object, FrameReader>()

/** The reader of a stream of frames that is read by callbacks for less; undefined for any other stream. */
export const frameReaderOf = (stream: Stream.Stream<Uint8Array, unknown>): FrameReader | undefined =>
  readers.get(stream)

/** A stream with the frames of a reader, which can be read once. */
export const streamOfReader = (reader: FrameReader): Stream.Stream<Uint8Array> => {
  const stream = fromSource<Uint8Array, never>(() => ({
    poll: () => {
      const frames = reader.take()
      return frames?.length === 0 ? undefined : Exit.succeed(frames)
    },
    wait: reader.wait,
    close: Exit.void
  }))
  readers.set(stream, reader)
  return stream
}

/** Options of `makeFramePump`. */
interface FramePumpOptions<E> {
  /** Starts a step of the stream that needs a fiber, at once. */
  readonly run: (step: Effect.Effect<ReadonlyArray<Uint8Array> | null, E>) => Fiber.RuntimeFiber<
    ReadonlyArray<Uint8Array> | null,
    E
  >
  /** Frames that report a failure after the stream was opened. */
  readonly onFailure: (cause: Cause.Cause<E>) => ReadonlyArray<Uint8Array>
}

/** Reads frames when its reader takes them, by plain calls where they are there. */
export interface FramePump<E> extends FrameReader {
  /** Calls back once the first frames are there, the stream has ended, it has failed, or `beat` was called. */
  readonly open: (onOpen: (exit: Exit.Exit<void, E>) => void) => void
  /** Opens the stream, and adds a comment if no frame came since the last call. */
  readonly beat: () => void
  /** Takes nothing more from the stream; returns the step that runs in a fiber at the moment. */
  readonly stop: () => Fiber.RuntimeFiber<unknown, unknown> | undefined
}

/** Makes a pump for a started stream. */
export const makeFramePump = <E>(
  source: OpenStream<Uint8Array, E>,
  { onFailure, run }: FramePumpOptions<E>
): FramePump<E> => {
  let step: Fiber.RuntimeFiber<unknown, unknown> | undefined
  let stepExit: Exit.Exit<ReadonlyArray<Uint8Array> | null, E> | undefined
  let first: ReadonlyArray<Uint8Array> = []
  let [isEnded, isIdle, isCommentDue] = [false, true, false]
  let ready: (() => void) | undefined
  let onOpen: ((exit: Exit.Exit<void, E>) => void) | undefined

  const wake = () => {
    const callback = ready
    ready = undefined
    callback?.()
  }

  const wait = (callback: () => void) => {
    ready = callback
    if (step === undefined) source.wait(wake)
  }

  /** The next frames; undefined where they have to be waited for. */
  const next = (): typeof stepExit => {
    if (step !== undefined) return undefined
    const pull = stepExit ?? source.poll()
    stepExit = undefined
    if (pull === undefined || hasExit(pull)) return pull
    const fiber = run(pull)
    const fiberExit = fiber.unsafePoll()
    if (fiberExit !== null) return fiberExit
    step = fiber
    fiber.addObserver((exit) => {
      step = undefined
      stepExit = exit
      wake()
    })
    return undefined
  }

  const settleOpening = (exit: Exit.Exit<void, E>) => {
    const callback = onOpen
    onOpen = undefined
    callback?.(exit)
  }

  const openWhenReady = () => {
    while (onOpen !== undefined) {
      const exit = next()
      if (exit === undefined) return wait(openWhenReady)
      if (Exit.isFailure(exit) || exit.value === null) {
        isEnded = true
        settleOpening(Exit.asVoid(exit))
      } else if (exit.value.length > 0) {
        first = exit.value
        isIdle = false
        settleOpening(Exit.void)
      }
    }
  }

  const framesOf = (exit: Exit.Exit<ReadonlyArray<Uint8Array> | null, E>): ReadonlyArray<Uint8Array> => {
    isEnded = Exit.isFailure(exit) || exit.value === null
    return Exit.isFailure(exit) ? onFailure(exit.cause) : exit.value ?? []
  }

  const take = () => {
    let frames = first
    first = []
    while (!isEnded && frames.length < capacity) {
      const exit = next()
      if (exit === undefined) break
      const more = framesOf(exit)
      frames = frames.length === 0 ? more : more.length === 0 ? frames : [...frames, ...more]
    }
    if (frames.length > 0) isIdle = false
    else if (isEnded) return null
    else if (isCommentDue) frames = [sseComment]
    isCommentDue = false
    return frames
  }

  return {
    take,
    wait,
    open: (callback) => {
      onOpen = callback
      openWhenReady()
    },
    beat: () => {
      settleOpening(Exit.void)
      const wasIdle = isIdle
      isIdle = true
      if (!wasIdle) return
      isCommentDue = true
      wake()
    },
    stop: () => {
      ready = undefined
      onOpen = undefined
      isEnded = true
      return step
    }
  }
}
