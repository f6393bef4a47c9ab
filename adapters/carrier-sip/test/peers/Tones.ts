/** A tone of some seconds, at a rate. */
export const tone = (rate: number, hertz: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rate * seconds }, (_, at) => 0.3 * Math.sin(2 * Math.PI * hertz * at / rate))

/** Share of the energy of some samples at a frequency, by the filter of Goertzel. */
export const shareOf = (samples: Float32Array, rate: number, hertz: number): number => {
  const factor = 2 * Math.cos(2 * Math.PI * hertz / rate)
  let [one, two, energy] = [0, 0, 0]
  for (const sample of samples) {
    ;[one, two] = [sample + factor * one - two, one]
    energy += sample * sample
  }
  return energy === 0 ? 0 : 2 * (one * one + two * two - factor * one * two) / (energy * samples.length)
}

/** Frames of 20 ms in which a tone is nearly all that is heard. */
export const clearFrames = (frames: ReadonlyArray<Float32Array>, rate: number, hertz: number): number =>
  frames.filter((frame) => shareOf(frame, rate, hertz) > 0.9).length

/** Frames of 20 ms of a WAV file with 16-bit samples, and their rate. */
export const framesOf = (wav: Uint8Array | undefined) => {
  const bytes = Buffer.from(wav ?? new Uint8Array(44))
  const rate = bytes.readUInt32LE(24)
  const samples = Float32Array.from(
    { length: (bytes.length - 44) >> 1 },
    (_, at) => bytes.readInt16LE(44 + 2 * at) / 0x8000
  )
  const length = rate / 50
  const frames = Array.from(
    { length: length === 0 ? 0 : Math.floor(samples.length / length) },
    (_, at) => samples.subarray(length * at, length * (at + 1))
  )
  return { rate, frames }
}
