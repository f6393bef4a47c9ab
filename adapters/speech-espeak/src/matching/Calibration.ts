import type { LanguageCode } from "@trunkline/spoken-text"

/** A voice of espeak, beside the mean of all. */
export interface EspeakVoice {
  readonly name: string
  /** How much higher it speaks as a man, in Hz. */
  readonly higher: number
  /** How much louder it speaks, in dB. */
  readonly louder: number
}

/**
 * The voices of espeak for the languages. English is that of Britain where espeak has no English of India.
 *
 * All figures here were measured with espeak-ng 1.51 on five sentences of each language. The WebAssembly build has the
 * same; the tests measure whatever is installed.
 */
export const espeakVoices: Readonly<Record<LanguageCode, EspeakVoice>> = {
  "as-IN": { name: "as", higher: 1, louder: 1.5 },
  "bn-IN": { name: "bn", higher: -0.3, louder: 1.1 },
  "en-IN": { name: "en", higher: -1.5, louder: -0.8 },
  "gu-IN": { name: "gu", higher: 1.6, louder: -0.2 },
  "hi-IN": { name: "hi", higher: -1.5, louder: 0 },
  "kn-IN": { name: "kn", higher: -3, louder: -0.2 },
  "ml-IN": { name: "ml", higher: 3, louder: -0.9 },
  "mr-IN": { name: "mr", higher: 0.9, louder: -0.2 },
  "od-IN": { name: "or", higher: -0.6, louder: 1 },
  "pa-IN": { name: "pa", higher: 0.2, louder: -0.1 },
  "ta-IN": { name: "ta", higher: 1.1, louder: -0.2 },
  "te-IN": { name: "te", higher: -1.1, louder: -0.2 }
}

/** How espeak speaks with any voice. */
export interface EspeakVariant {
  /** What is added to the name of a voice. */
  readonly suffix: string
  /** The median pitch of its voices, in Hz, at every tenth of espeak's pitch; the last is at 99. */
  readonly pitches: ReadonlyArray<number>
  /** How much more than as a man a voice that speaks higher does so. */
  readonly higherBy: number
  /** How loud it is at 100 Hz, in dB of full scale; 3 dB louder with each octave. */
  readonly level: number
}

/** espeak as a man, which is what it is unless told. */
export const man: EspeakVariant = {
  suffix: "",
  pitches: [67, 71, 76, 83, 90, 100, 110, 122, 136, 152, 168],
  higherBy: 1,
  level: -19
}

/** espeak as a woman. */
export const woman: EspeakVariant = {
  suffix: "+f2",
  pitches: [126, 136, 146, 159, 174, 191, 211, 234, 260, 290, 320],
  higherBy: 1.9,
  level: -20.1
}
