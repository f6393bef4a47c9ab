/** A sample as a 16 bit number: rounded, clamped where it is louder than full scale, and not dithered. */
export const to16 = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))

/** Samples as 16 bit numbers, as `to16` makes them. What came from 16 bit numbers becomes the same ones again. */
export const toPcm16 = (samples: Float32Array): Int16Array => {
  const numbers = new Int16Array(samples.length)
  for (let at = 0; at < samples.length; at++) numbers[at] = to16(samples[at] ?? 0)
  return numbers
}

/** Samples from 16 bit numbers, -32768 being -1. */
export const fromPcm16 = (numbers: Int16Array): Float32Array => {
  const samples = new Float32Array(numbers.length)
  for (let at = 0; at < numbers.length; at++) samples[at] = (numbers[at] ?? 0) / 32_768
  return samples
}

/** Samples as bytes of 16 bit little endian numbers, as `to16` makes them. */
export const toLinear16 = (samples: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < samples.length; at++) view.setInt16(at * 2, to16(samples[at] ?? 0), true)
  return bytes
}

/** Samples from bytes of 16 bit little endian numbers; a last odd byte is left out. */
export const fromLinear16 = (bytes: Uint8Array): Float32Array => {
  const samples = new Float32Array(Math.floor(bytes.length / 2))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true) / 32_768
  return samples
}
