import { type Frames, wavFrames } from "@trunkline/audio"
import { Either } from "effect"

/** What stands before the sound of a WAV file that is still arriving. */
export interface WavOpening extends Omit<Frames, "bytes"> {
  /** Where the sound begins. */
  readonly from: number
  /** Where it ends: before whatever follows it in the file; otherwise it goes on for as long as bytes come. */
  readonly to: number
}

/** What may follow the sound of a file, in bytes: names and remarks. */
const longestTail = 64 * 1024

/**
 * Reads the beginning of a WAV file; null while that is not all there. Who writes a file while the sound is still made
 * writes sizes that are not true, so the size of the sound is believed only where by the size of the file a little more
 * comes after it.
 */
export const wavOpening = (bytes: Uint8Array): WavOpening | null =>
  Either.match(wavFrames(bytes), {
    onLeft: () => null,
    onRight: ({ bytes: sound, channels, encoding, rate }) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const from = sound.byteOffset - bytes.byteOffset
      const size = view.getUint32(from - 4, true)
      const tail = view.getUint32(4, true) + 8 - (from + size)
      const isFollowed = tail >= 8 && tail <= longestTail
      return { channels, encoding, rate, from, to: isFollowed ? from + size : Number.POSITIVE_INFINITY }
    }
  })
