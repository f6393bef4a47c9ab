import { type Frames, wavFrames } from "@trunkline/audio"
import { Either } from "effect"

/** What stands before the sound of a WAV file that is still arriving. */
export interface WavOpening extends Omit<Frames, "bytes"> {
  /** Where the sound begins. */
  readonly from: number
  /** Where it ends: before whatever follows it in the file; otherwise it goes on for as long as bytes come. */
  readonly to: number
}

/**
 * Reads the beginning of a WAV file; null while that is not all there. Who writes a file while the sound is still made
 * writes sizes that are not true, so the size of the sound is believed only where the file says that more comes after it.
 */
export const wavOpening = (bytes: Uint8Array): WavOpening | null =>
  Either.match(wavFrames(bytes), {
    onLeft: () => null,
    onRight: ({ bytes: sound, channels, encoding, rate }) => {
      const from = sound.byteOffset - bytes.byteOffset
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const after = from + view.getUint32(from - 4, true)
      const isFollowed = view.getUint32(4, true) + 8 >= after + 8
      return { channels, encoding, rate, from, to: isFollowed ? after : Number.POSITIVE_INFINITY }
    }
  })
