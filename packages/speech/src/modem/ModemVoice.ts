import { LanguageCode } from "@trunkline/spoken-text"
import { type Duration, Effect, identity, Layer, Stream } from "effect"
import {
  type Cloning,
  type SpeechAbility,
  type SpeechFailure,
  Synthesizer,
  type Utterance
} from "../ports/Synthesizer.js"
import { soundOf } from "./ModemSound.js"
import { symbolsOf } from "./ModemSymbol.js"
import { bytesOf } from "./ModemText.js"

/** How an utterance goes wrong, for tests. */
export interface ModemFault {
  /** Says this instead. */
  readonly text?: string
  /** Is far too loud: most samples are cut off at full scale. The words can still be heard. */
  readonly clipped?: boolean
  /** Breaks off after so many seconds of sound, */
  readonly after?: number
  /** and ends with this failure, or never. Unless told, it ends as if that were all. */
  readonly ends?: SpeechFailure | "never"
}

/** What a modem voice is like. */
export interface ModemVoiceOptions {
  /** What it claims to be able to do. `none` unless told, which is the truth. */
  readonly cloning?: Cloning
  /** Samples per second, at least 8,000. 24,000 unless told. */
  readonly nativeRate?: number
  /** Whether it changes its pace by itself. It does not unless told. */
  readonly controls?: SpeechAbility["controls"]
  /** The time that every piece of its sound takes it, a letter's 60 ms. None unless told. */
  readonly delay?: Duration.DurationInput
  /** What goes wrong with an utterance. Nothing unless told. */
  readonly fault?: (utterance: Utterance) => ModemFault | undefined
}

/** Seconds that a letter takes at natural pace: with the beats it is 16 a second, about what espeak-ng speaks. */
const secondsPerLetter = 0.06

/**
 * A voice for tests, which every part of the way to the ear can carry and `modemTranscriber` understands to the letter:
 * each letter is two tones, and the same utterance is always the same sound. It knows nothing of the reference clip.
 */
export const modemVoice = (
  { cloning = "none", controls = [], delay, fault, nativeRate = 24_000 }: ModemVoiceOptions = {}
): Layer.Layer<Synthesizer> =>
  Layer.succeed(Synthesizer, {
    ability: { engine: "modem", cloning, languages: LanguageCode.literals, nativeRate, controls },
    speak: (utterance) =>
      Stream.suspend(() => {
        const { after = Infinity, clipped = false, text = utterance.text, ends } = fault?.(utterance) ?? {}
        const timing = { rate: nativeRate, seconds: secondsPerLetter / utterance.pace }
        const pieces = beginningOf(soundOf(symbolsOf(bytesOf(text)), timing), Math.round(after * nativeRate))
        return Stream.fromIteratorSucceed(pieces, 1).pipe(
          clipped ? Stream.map(cutOff) : identity,
          delay === undefined ? identity : Stream.tap(() => Effect.sleep(delay)),
          Stream.concat(ends === undefined ? Stream.empty : ends === "never" ? Stream.never : Stream.fail(ends))
        )
      })
  })

function* beginningOf(pieces: Iterable<Float32Array>, length: number): Generator<Float32Array, void> {
  let left = length
  for (const piece of pieces) {
    if (left <= 0) return
    yield piece.subarray(0, left)
    left -= piece.length
  }
}

/** 40 dB louder. */
const cutOff = (samples: Float32Array): Float32Array => samples.map((sample) => Math.max(-1, Math.min(1, sample * 100)))
