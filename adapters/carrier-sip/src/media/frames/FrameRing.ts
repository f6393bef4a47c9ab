import { frameSamples } from "@trunkline/audio"

/**
 * Frames on their way from the media thread to the main thread, in memory that both share. Nothing is allocated for a frame:
 * buffers that are passed between threads count as memory of both, and many of them keep the collectors of both busy.
 */
export interface FrameRing {
  /**
   * Frames that were written and read so far, which wrap; whether the main thread knows that there are some; and messages
   * with frames that it has read.
   */
  readonly control: Int32Array
  /** Number of each frame's call, eight times, plus 1 for a concealed frame, 2 for one before the answer and 4 for a wide one. */
  readonly tags: Int32Array
  readonly samples: Float32Array
}

/** Samples of a wide frame, at 16,000 Hz, which is the room for each frame. */
export const wideFrameSamples = 2 * frameSamples

/** Kind of a frame. */
export interface FrameKind {
  /** It stands for a packet that was lost or late. */
  readonly isConcealed: boolean
  /** It came before the call was answered. */
  readonly isEarly: boolean
}

/** Tag of a frame. */
export const tagOf = (call: number, sound: Float32Array, { isConcealed, isEarly }: FrameKind): number =>
  8 * call + (isConcealed ? 1 : 0) + (isEarly ? 2 : 0) + (sound.length === wideFrameSamples ? 4 : 0)

/** The kinds of frames by the lower bits of their tags. */
const kinds: ReadonlyArray<FrameKind> = [0, 1, 2, 3].map((bits) => ({
  isConcealed: (bits & 1) !== 0,
  isEarly: (bits & 2) !== 0
}))

const usual: FrameKind = { isConcealed: false, isEarly: false }

/** Call, kind and width of a tag. */
export const callIn = (tag: number): number => tag >> 3
export const kindIn = (tag: number): FrameKind => kinds[tag & 3] ?? usual
export const isWideIn = (tag: number): boolean => (tag & 4) !== 0

/** Frames of a ring by default: those of 200 calls in 0.4 s. */
const frameCount = 4_096

const writeIndex = 0
const readIndex = 1
const notifyIndex = 2
const messageIndex = 3

const bufferOf = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

/** Makes an empty ring for a number of frames, which must be a power of two. */
export const makeFrameRing = (frames = frameCount): FrameRing => ({
  control: new Int32Array(bufferOf(4 * Int32Array.BYTES_PER_ELEMENT)),
  tags: new Int32Array(bufferOf(frames * Int32Array.BYTES_PER_ELEMENT)),
  samples: new Float32Array(bufferOf(frames * wideFrameSamples * Float32Array.BYTES_PER_ELEMENT))
})

/** Writes a frame, in the media thread. Returns false when there is no room for it. */
export const writeFrame = ({ control, samples, tags }: FrameRing, tag: number, sound: Float32Array): boolean => {
  const end = control[writeIndex] ?? 0
  if (((end - Atomics.load(control, readIndex)) | 0) >= tags.length) return false
  const place = end & (tags.length - 1)
  tags[place] = tag
  samples.set(sound, place * wideFrameSamples)
  Atomics.store(control, writeIndex, (end + 1) | 0)
  return true
}

/** Returns true, in the media thread, when the main thread has to be told that there are frames. */
export const mustNotify = ({ control }: FrameRing): boolean => Atomics.exchange(control, notifyIndex, 1) === 0

/**
 * Reads all frames there are, in the main thread, and each of them once. `read` gets the tag and the place of a frame within
 * the samples of the ring, which may be overwritten as soon as it returns.
 */
export const readFrames = (
  { control, tags }: FrameRing,
  read: (tag: number, from: number) => void
): void => {
  Atomics.store(control, notifyIndex, 0)
  const end = Atomics.load(control, writeIndex)
  let next = control[readIndex] ?? 0
  while (next !== end) {
    const place = next & (tags.length - 1)
    try {
      read(tags[place] ?? 0, place * wideFrameSamples)
    } finally {
      next = (next + 1) | 0
      Atomics.store(control, readIndex, next)
    }
  }
}

/** Messages with frames that the main thread has read so far, which wraps. */
export const messagesRead = ({ control }: FrameRing): number => Atomics.load(control, messageIndex)

/** Counts a message with frames that was read, in the main thread. */
export const countMessage = ({ control }: FrameRing): void => {
  Atomics.add(control, messageIndex, 1)
}
