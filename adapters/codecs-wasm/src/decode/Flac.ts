import type { FLACDecodedAudio } from "@wasm-audio-decoders/flac"
import { afterTag } from "./AfterTag.js"
import type { Intake } from "./Intake.js"
import { piecesOf } from "./Pieces.js"
import { Unreadable } from "./Unreadable.js"

/** A dozen bytes may hold 65,535 samples of silence of eight channels: a piece of these unpacks into 90 MB. */
const pieceBytes = 512

const damaged = () => new Unreadable("The FLAC file is damaged")

/** Samples that were divided by the largest number of so many bits, as if they had been by the one after it. */
const rescaled = (channels: ReadonlyArray<Float32Array>, bits: number): ReadonlyArray<Float32Array> => {
  const scale = 1 - 2 ** (1 - bits)
  return channels.map((channel) => channel.map((sample) => sample * scale))
}

/** How many samples the header says that there are, 0 where it does not say, and in the largest frame (RFC 9639, 8.2). */
const countsIn = (flac: Uint8Array): { readonly all: number; readonly inFrame: number } => {
  const view = new DataView(flac.buffer, flac.byteOffset, flac.byteLength)
  return flac.length < 42
    ? { all: 0, inFrame: 0 }
    : { all: (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22), inFrame: view.getUint16(10) }
}

/**
 * Reads FLAC by libFLAC, which leaves out frames that are damaged: then there are fewer samples than there should be.
 */
export const decodeFlac = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { FLACDecoder } = await import("@wasm-audio-decoders/flac")
  const decoder = new FLACDecoder()
  await decoder.ready
  const flac = afterTag(bytes)
  let samples = 0

  const take = ({ bitDepth, channelData, errors, sampleRate, samplesDecoded }: FLACDecodedAudio): boolean => {
    if (errors.length > 0) throw damaged()
    samples += samplesDecoded
    return intake.add(rescaled(channelData, bitDepth), sampleRate)
  }

  try {
    for (const piece of piecesOf(flac, pieceBytes)) {
      if (!take(await decoder.decode(piece))) return
    }
    take(await decoder.flush())
    const { all, inFrame } = countsIn(flac)
    // A short last frame may be left out although nothing is wrong with it.
    if (all > 0 && (samples > all || all - samples >= Math.max(1, inFrame))) throw damaged()
  } finally {
    decoder.free()
  }
}
