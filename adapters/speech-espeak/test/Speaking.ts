import { type Audio, concatSamples } from "@trunkline/audio"
import { type Reference, type SynthesisInput, Synthesizer } from "@trunkline/speech"
import { Effect, Stream } from "effect"

const rate = 22_050

/** A synthetic voice without language: harmonics of a gliding pitch, in syllables. */
export const voice = (
  { hertz, seconds = 2, syllables = 5 }: {
    readonly hertz: number
    readonly seconds?: number
    readonly syllables?: number
  }
): Audio => {
  const samples = new Float32Array(seconds * rate)
  let phase = 0
  for (let at = 0; at < samples.length; at++) {
    phase += hertz * (1 + 0.05 * Math.sin(2 * Math.PI * at / rate)) / rate
    let sample = 0
    for (let harmonic = 1; harmonic <= 10; harmonic++) {
      sample += Math.sin(2 * Math.PI * harmonic * phase) / harmonic
    }
    const swell = 0.01 + Math.sin(Math.PI * Math.min(1, (at * syllables / rate % 1) / 0.7)) ** 2
    samples[at] = 0.2 * swell * sample
  }
  return { rate, samples }
}

/** A reference for a voice. */
export const referenceTo = (recording: Audio, more: Partial<Reference> = {}): Reference => ({
  audio: recording,
  seconds: recording.samples.length / recording.rate,
  text: null,
  language: null,
  voice_id: null,
  ...more
})

const someone = referenceTo(voice({ hertz: 120, seconds: 1 }), { voice_id: "svc-someone" })

/** An utterance in Hindi by some voice. */
export const saying = (text: string, more: Partial<SynthesisInput> = {}): SynthesisInput => ({
  text,
  language: "hi-IN",
  pace: 1,
  reference: someone,
  take: 0,
  ...more
})

/** All of the audio of an utterance. */
export const spoken = (utterance: SynthesisInput) =>
  Effect.flatMap(Synthesizer, ({ ability, speak }) =>
    Effect.map(
      Stream.runCollect(speak(utterance)),
      (pieces): Audio => ({ rate: ability.nativeRate, samples: concatSamples([...pieces]) })
    ))
