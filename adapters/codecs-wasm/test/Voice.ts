import type { Audio } from "@trunkline/audio"

/** Something like a voice: harmonics of a gliding tone that swell and fade. */
export const voiceOf = (rate: number, seconds: number): Audio => {
  const samples = new Float32Array(Math.round(rate * seconds))
  let phase = 0
  for (let at = 0; at < samples.length; at++) {
    const time = at / rate
    phase += 2 * Math.PI * (140 + 30 * Math.sin(4.4 * time)) / rate
    let sum = 0
    for (let harmonic = 1; harmonic <= 12; harmonic++) sum += Math.sin(phase * harmonic + harmonic ** 2) / harmonic
    samples[at] = 0.25 * sum * (0.55 + 0.45 * Math.sin(19 * time))
  }
  return { rate, samples }
}

/** Signal-to-noise ratio in decibels of audio against its original, which begins some samples later. */
export const likeness = (audio: Float32Array, other: Float32Array, later: number): number => {
  let signal = 0
  let noise = 0
  for (let at = 0; at < audio.length; at++) {
    const sample = audio[at] ?? 0
    signal += sample ** 2
    noise += (sample - (other[at + later] ?? 0)) ** 2
  }
  return 10 * Math.log10(signal / noise)
}
