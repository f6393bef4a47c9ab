import { alaw, callWavFrameBytes, frameSamples, mulaw, mulawSilence, writeCallFrames } from "@trunkline/audio"
import type { SentCodes } from "@trunkline/sip"
import type { SoundTap } from "@trunkline/telephony"

/**
 * Codes of both sides of a call, which the media thread writes and the main thread reads, some of them at a time: what is done
 * for each frame costs more than the codes.
 */
export interface SharedCodes {
  /** Frames that were written so far, for which there is room for a year. */
  readonly control: Int32Array
  readonly bytes: Uint8Array
}

/** Frames of 20 ms for which there is room: 5 s. */
const maxFrames = 250

/** Bytes of a frame. */
const frameBytes = frameSamples * callWavFrameBytes

const silentFrame = new Uint8Array(frameBytes).fill(mulawSilence)

/** Makes the memory of the codes of a call. */
export const makeSharedCodes = (): SharedCodes => ({
  control: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  bytes: new Uint8Array(new SharedArrayBuffer(maxFrames * frameBytes))
})

/** Mu-law codes of those of A-law. */
const mulawOf = mulaw.encode(alaw.decode(Uint8Array.from({ length: 0x100 }, (_, code) => code)))

/** Sound of 20 ms that was sent, with its codes where they are at hand. */
export interface SentSound {
  readonly samples: Float32Array
  readonly codes: SentCodes | null
}

/** Writes a frame of both sides, in the media thread; null where nothing was sent but silence. */
export const writeCodes = ({ bytes, control }: SharedCodes, heard: Float32Array, sent: SentSound | null): void => {
  const count = Atomics.load(control, 0)
  const at = count % maxFrames * frameBytes
  const codes = sent?.codes ?? null
  if (codes === null || codes.codec === "g722") {
    writeCallFrames(bytes, at, { left: heard, right: sent?.samples ?? null })
  } else {
    mulaw.encodeInto(heard, bytes, at, callWavFrameBytes)
    const isMulaw = codes.codec === "mulaw"
    for (let index = 0, place = at + 1; index < frameSamples; index++, place += callWavFrameBytes) {
      const code = codes.bytes[index] ?? 0
      bytes[place] = isMulaw ? code : mulawOf[code] ?? 0
    }
  }
  Atomics.store(control, 0, count + 1)
}

/** Reads the codes of a call, in the main thread. What was overwritten meanwhile is silence. */
export const tapOf = ({ bytes, control }: SharedCodes): SoundTap => {
  let next = 0
  return {
    read: (onCodes) => {
      const end = Atomics.load(control, 0)
      // The oldest place may be written just now.
      for (; next <= end - maxFrames; next++) onCodes(silentFrame)
      while (next < end) {
        const from = next % maxFrames
        const count = Math.min(end - next, maxFrames - from)
        onCodes(bytes.subarray(from * frameBytes, (from + count) * frameBytes))
        next += count
      }
    }
  }
}
