import { type AudioCodecs, joined, secondsOf, type Sound, trimSilence } from "@trunkline/audio"
import { Effect, Stream } from "effect"
import type { GenerateAsked } from "../forms/GenerateForm.js"
import { codecRefused, refuse } from "../forms/Rules.js"
import type { Reference, SpeechFailure, Synthesizer } from "../ports/Synthesizer.js"
import type { QualityCheck } from "../quality/QualityCheck.js"
import { cutAt, mostSeconds, noLonger, noShorter } from "./Bounds.js"
import { resampled } from "./InSlices.js"
import type { Script } from "./Script.js"
import { spoken } from "./Spoken.js"

/** A whole speech in the codec that was asked for. */
export interface GeneratedSpeech {
  readonly bytes: Uint8Array
  /** How long it is, in seconds, without what a codec may add. */
  readonly seconds: number
}

/** The longest whole speech, in seconds: a thousand characters last less, unless they are figures that become words. */
export const longestSpeech = 300

const tooLong = refuse("text", `text is longer than ${longestSpeech} seconds when it is spoken: stream it`)

/** What speaks, checks and writes. */
interface Parts {
  readonly synthesizer: Synthesizer["Type"]
  readonly quality: QualityCheck["Type"]
  readonly codecs: AudioCodecs["Type"]
}

/** A speech that is ready to begin. */
interface Ready {
  readonly asked: GenerateAsked
  readonly script: Script
  readonly reference: Reference
}

/**
 * Speaks to the end: once, or twice where what came out is checked and is not good. Then silence is trimmed, the bounds
 * are kept, and it is written, in this order (design: telephony 3.3).
 */
export const speakWhole = ({ codecs, quality, synthesizer }: Parts, { asked, reference, script }: Ready) =>
  Effect.gen(function*() {
    const { bounds, check, format, pace, trim } = asked
    const { nativeRate: rate } = synthesizer.ability

    const takeOf = (take: number): Effect.Effect<Sound, SpeechFailure> =>
      Effect.gen(function*() {
        const pieces: Array<Float32Array> = []
        let left = longestSpeech * rate
        yield* Stream.runForEach(spoken(synthesizer, { script, pace, reference, take }), (piece) => {
          pieces.push(piece)
          left -= piece.length
          return left < 0 ? tooLong : Effect.void
        })
        const sound = { rate, samples: joined(pieces) }
        return trim && script.clauses.length === 1 ? trimSilence(sound) : sound
      })

    const taken = yield* check ? quality.bestTake(takeOf, { ...script, pace }) : takeOf(0)
    const most = mostSeconds(bounds, reference.seconds)
    const bounded = yield* resampled(yield* noLonger(taken, most), format.rate)
    const sound = noShorter(cutAt(bounded, most), bounds.least)
    const bytes = yield* Effect.mapError(codecs.encode(sound, format), codecRefused)
    return { bytes, seconds: secondsOf(sound) }
  })
