import { fromPull, type Pull } from "@trunkline/kernel"
import { Effect, type Stream } from "effect"

/** Number of buffered frames at which writers wait for the reader. */
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

/** Bounded buffer of frames between their writers and one slower reader. */
export interface FrameBuffer {
  /** Adds frames, and completes once the buffer has room for more. */
  readonly offer: (frames: Iterable<Uint8Array>) => Effect.Effect<void>
  /** Ends the stream after the buffered frames. */
  readonly end: Effect.Effect<void>
  /** The frames, until the end. Everything buffered is emitted as one chunk. Can be consumed once. */
  readonly frames: Stream.Stream<Uint8Array>
}

/** Makes an empty buffer. Effect's `Mailbox` also supports many readers, but costs some kilobytes for each frame. */
export const makeFrameBuffer = (): FrameBuffer => {
  const writable = Effect.unsafeMakeLatch(true)
  let buffered: Array<Uint8Array> = []
  let isEnded = false
  let wake: (() => void) | undefined

  const wakeReader = () => {
    const resume = wake
    wake = undefined
    resume?.()
  }

  const reader: FrameReader = {
    take: () => {
      if (buffered.length === 0) return isEnded ? null : buffered
      const frames = buffered
      buffered = []
      writable.unsafeOpen()
      return frames
    },
    wait: (ready) => {
      if (buffered.length > 0 || isEnded) return ready()
      wake = ready
    }
  }

  const pull: Pull<Uint8Array> = Effect.suspend(() => {
    const frames = reader.take()
    return frames === null || frames.length > 0 ? Effect.succeed(frames) : awaitFrames
  })

  const awaitFrames: Pull<Uint8Array> = Effect.async((resume) => {
    reader.wait(() => resume(pull))
    return Effect.sync(() => void (wake = undefined))
  })

  const frames = fromPull(Effect.succeed(pull))
  readers.set(frames, reader)

  return {
    offer: (frames) =>
      Effect.suspend(() => {
        for (const frame of frames) buffered.push(frame)
        wakeReader()
        if (buffered.length < capacity) return Effect.void
        writable.unsafeClose()
        return writable.await
      }),
    end: Effect.sync(() => {
      isEnded = true
      wakeReader()
    }),
    frames
  }
}
