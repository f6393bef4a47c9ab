import { joinedBytes, type Sound, toLinear16, wavHeader } from "@trunkline/audio"

/** A sound as a WAV file: 16 bit, one channel, at its own rate. */
export const wavClip = ({ rate, samples }: Sound): Uint8Array =>
  joinedBytes([wavHeader({ rate, samples: samples.length }), toLinear16(samples)])
