import { LanguageCode } from "@trunkline/spoken-text"
import { type Duration, Effect, identity, Layer, Stream } from "effect"
import {
  type Cloning,
  type SpeechCapabilities,
  type SpeechFailure,
  type SynthesisInput,
  Synthesizer
} from "../Synthesizer.js"
import { encodeSymbols, encodeText, highTones, lowTones, type ModemSymbol, pilots } from "./ModemEncoding.js"

/** A fault injected into an utterance. */
export interface ModemFault {
  /** Speaks this text instead. */
  readonly text?: string
  /** Amplifies the audio by 40 dB, so that most samples clip. The text can still be decoded. */
  readonly clipped?: boolean
  /** Stops after this many seconds of audio. */
  readonly after?: number
  /** Ends with this failure, or hangs. Default: ends normally. */
  readonly ends?: SpeechFailure | "never"
}

/** Options of `modemVoice`. */
export interface ModemVoiceOptions {
  /** The cloning capability to declare. Default: `none`. */
  readonly cloning?: Cloning
  /** Sample rate in hertz, at least 8000. Default: 24000. */
  readonly nativeRate?: number
  /** The controls to declare and apply. Default: none. */
  readonly controls?: SpeechCapabilities["controls"]
  /** Time before each chunk of audio, which is 60 ms long. Default: none. */
  readonly delay?: Duration.DurationInput
  /** Selects the fault of an utterance. Default: no faults. */
  readonly fault?: (utterance: SynthesisInput) => ModemFault | undefined
}

/** Duration of a letter at natural pace: with the beats about 16 letters per second, close to espeak-ng. */
const secondsPerLetter = 0.06

/**
 * Synthesizer for tests that encodes each letter as two tones, which survive codecs, telephone lines and changes of pace
 * and which `modemTranscriber` decodes exactly. Its output is deterministic and ignores the reference clip.
 *
 * @example
 * ```ts
 * const layer = Layer.merge(modemVoice({ cloning: "zero-shot" }), modemTranscriber)
 * ```
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
        const pieces = takeSamples(modulate(encodeSymbols(encodeText(text)), timing), Math.round(after * nativeRate))
        return Stream.fromIteratorSucceed(pieces, 1).pipe(
          clipped ? Stream.map(clip) : identity,
          delay === undefined ? identity : Stream.tap(() => Effect.sleep(delay)),
          Stream.concat(ends === undefined ? Stream.empty : ends === "never" ? Stream.never : Stream.fail(ends))
        )
      })
  })

function* takeSamples(pieces: Iterable<Float32Array>, length: number): Generator<Float32Array, void> {
  let remaining = length
  for (const piece of pieces) {
    if (remaining <= 0) return
    yield piece.subarray(0, remaining)
    remaining -= piece.length
  }
}

/** Amplifies by 40 dB and clips at full scale. */
const clip = (samples: Float32Array): Float32Array => samples.map((sample) => Math.max(-1, Math.min(1, sample * 100)))

/** Root mean square of the signal: -20 dBFS, the level of telephone speech. */
const level = 0.1

/** Fade at both ends of a symbol in seconds, which prevents clicks. */
const fade = 0.002

const tonesOf = (symbol: ModemSymbol): ReadonlyArray<number> =>
  typeof symbol === "number"
    ? [lowTones[symbol >> 4] ?? 0, highTones[symbol & 15] ?? 0]
    : [pilots[symbol]]

/** Generates the signal of symbols that last `seconds` each. */
function* modulate(
  symbols: ReadonlyArray<ModemSymbol>,
  { rate, seconds }: { readonly rate: number; readonly seconds: number }
): Generator<Float32Array, void> {
  const startOf = (index: number) => Math.round(index * seconds * rate)
  for (const [index, symbol] of symbols.entries()) {
    const samples = new Float32Array(startOf(index + 1) - startOf(index))
    const tones = tonesOf(symbol)
    for (const frequency of tones) addTone(samples, frequency / rate, level * Math.sqrt(2 / tones.length))
    fadeEnds(samples, Math.floor(fade * rate))
    yield samples
  }
}

/** Adds a tone of the given cycles per sample, starting at phase zero. */
const addTone = (samples: Float32Array, cycles: number, amplitude: number): void => {
  const step = 2 * Math.PI * cycles
  const turn = 2 * Math.cos(step)
  let before = -amplitude * Math.sin(step)
  let now = 0
  for (let index = 0; index < samples.length; index++) {
    samples[index] = (samples[index] ?? 0) + now
    const next = turn * now - before
    before = now
    now = next
  }
}

const fadeEnds = (samples: Float32Array, length: number): void => {
  for (let index = 0; index < length; index++) {
    const share = (1 - Math.cos(Math.PI * (index + 0.5) / length)) / 2
    const opposite = samples.length - 1 - index
    samples[index] = (samples[index] ?? 0) * share
    samples[opposite] = (samples[opposite] ?? 0) * share
  }
}
