import { Channel, Chunk, Effect, Stream } from "effect"

/** Number of buffered frames at which writers wait for the reader. */
const capacity = 64

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

  const awaitFrames = Effect.async<void>((resume) => {
    if (buffered.length > 0 || isEnded) return resume(Effect.void)
    wake = () => resume(Effect.void)
    return Effect.sync(() => void (wake = undefined))
  })

  const reader: Channel.Channel<Chunk.Chunk<Uint8Array>> = Channel.suspend(() => {
    if (buffered.length > 0) {
      const frames = buffered
      buffered = []
      writable.unsafeOpen()
      return Channel.flatMap(Channel.write(Chunk.unsafeFromArray(frames)), () => reader)
    }
    return isEnded ? Channel.void : Channel.flatMap(Channel.fromEffect(awaitFrames), () => reader)
  })

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
    frames: Stream.fromChannel(reader)
  }
}
