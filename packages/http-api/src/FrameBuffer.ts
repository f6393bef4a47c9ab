import { Channel, Chunk, Effect, Stream } from "effect"

/** Frames that may wait for the reader before the writer waits for it. */
const capacity = 64

/** Frames between their writers and one reader, which may be slower. */
export interface FrameBuffer {
  /** Puts frames in, and completes once there is room for more. */
  readonly offer: (frames: Iterable<Uint8Array>) => Effect.Effect<void>
  /** Says that there will be no more frames. */
  readonly end: Effect.Effect<void>
  /** The frames, until the end; those that wait together come in one chunk. It can be read once. */
  readonly frames: Stream.Stream<Uint8Array>
}

/** An empty buffer. Effect's `Mailbox` does the same for many writers and readers, at some kilobytes for each frame. */
export const makeFrameBuffer = (): FrameBuffer => {
  const room = Effect.unsafeMakeLatch(true)
  let waiting: Array<Uint8Array> = []
  let isEnded = false
  let wake: (() => void) | undefined

  const arrived = () => {
    const resume = wake
    wake = undefined
    resume?.()
  }

  const arrival = Effect.async<void>((resume) => {
    if (waiting.length > 0 || isEnded) return resume(Effect.void)
    wake = () => resume(Effect.void)
    return Effect.sync(() => void (wake = undefined))
  })

  const reading: Channel.Channel<Chunk.Chunk<Uint8Array>> = Channel.suspend(() => {
    if (waiting.length > 0) {
      const frames = waiting
      waiting = []
      room.unsafeOpen()
      return Channel.flatMap(Channel.write(Chunk.unsafeFromArray(frames)), () => reading)
    }
    return isEnded ? Channel.void : Channel.flatMap(Channel.fromEffect(arrival), () => reading)
  })

  return {
    offer: (frames) =>
      Effect.suspend(() => {
        for (const frame of frames) waiting.push(frame)
        arrived()
        if (waiting.length < capacity) return Effect.void
        room.unsafeClose()
        return room.await
      }),
    end: Effect.sync(() => {
      isEnded = true
      arrived()
    }),
    frames: Stream.fromChannel(reading)
  }
}
