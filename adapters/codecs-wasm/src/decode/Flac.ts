import type { FLACDecodedAudio } from "@wasm-audio-decoders/flac"
import { chunksOf, type Intake, skipId3Tag, UnreadableClip } from "../Intake.js"

/** A dozen bytes may hold 65,535 samples of silence in eight channels: a chunk of such bytes unpacks to 90 MB. */
const chunkBytes = 512

const damageError = () => new UnreadableClip("The FLAC file is damaged")

/** Undoes the scale of the decoder, which divides by the largest number of so many bits instead of a power of two. */
const rescale = (channels: ReadonlyArray<Float32Array>, bits: number): ReadonlyArray<Float32Array> => {
  const scale = 1 - 2 ** (1 - bits)
  return channels.map((channel) => channel.map((sample) => sample * scale))
}

/** Numbers of samples in the file, 0 when unknown, and in the largest frame, by the header (RFC 9639, section 8.2). */
const sampleCounts = (flac: Uint8Array): { readonly total: number; readonly maxFrame: number } => {
  const view = new DataView(flac.buffer, flac.byteOffset, flac.byteLength)
  return flac.length < 42
    ? { total: 0, maxFrame: 0 }
    : { total: (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22), maxFrame: view.getUint16(10) }
}

/** Decodes FLAC by libFLAC, which drops damaged frames: then there are fewer samples than the header says. */
export const decodeFlac = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { FLACDecoder } = await import("@wasm-audio-decoders/flac")
  const decoder = new FLACDecoder()
  await decoder.ready
  const flac = skipId3Tag(bytes)
  let samples = 0

  const take = ({ bitDepth, channelData, errors, sampleRate, samplesDecoded }: FLACDecodedAudio): boolean => {
    if (errors.length > 0) throw damageError()
    samples += samplesDecoded
    return intake.add(rescale(channelData, bitDepth), sampleRate)
  }

  try {
    for (const chunk of chunksOf(flac, chunkBytes)) {
      if (!take(await decoder.decode(chunk))) return
    }
    take(await decoder.flush())
    const { maxFrame, total } = sampleCounts(flac)
    // The decoder may drop a short last frame that is not damaged.
    if (total > 0 && (samples > total || total - samples >= Math.max(1, maxFrame))) throw damageError()
  } finally {
    decoder.free()
  }
}
