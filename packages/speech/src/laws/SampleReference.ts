import type { Reference } from "../ports/Synthesizer.js"

const rate = 16_000
const pitch = 120

/** Six seconds of vowels by a voice of 120 Hz, four a second, of which nobody knows any words. */
export const sampleReference: Reference = {
  sound: {
    rate,
    samples: Float32Array.from({ length: 6 * rate }, (_, at) => {
      const seconds = at / rate
      const loudness = 0.15 * (1 - Math.cos(2 * Math.PI * 4 * seconds)) / 2
      return [1, 2, 3, 4, 5, 6].reduce(
        (sum, harmonic) => sum + loudness * Math.sin(2 * Math.PI * pitch * harmonic * seconds) / harmonic,
        0
      )
    })
  },
  seconds: 6,
  text: null,
  language: null,
  voice_id: null
}
