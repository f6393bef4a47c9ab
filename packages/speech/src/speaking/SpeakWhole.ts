import { type AudioCodecs, joined, makeResampler, secondsOf, type Sound, trimSilence } from "@trunkline/audio"
import { Chunk, Effect, Stream } from "effect"
import type { GenerateAsked } from "../forms/GenerateForm.js"
import { codecRefused } from "../forms/Rules.js"
import type { Reference, SpeechFailure, Synthesizer } from "../ports/Synthesizer.js"
import type { QualityCheck } from "../quality/QualityCheck.js"
import { mostSeconds, noLonger, noShorter } from "./Bounds.js"
import { wholeThrough } from "./InSlices.js"
import type { Script } from "./Script.js"
import { spoken } from "./Spoken.js"

/** A whole speech in the codec that was asked for. */
export interface GeneratedSpeech {
  readonly bytes: Uint8Array
  /** How long it is, in seconds, without what a codec may add. */
  readonly seconds: number
}

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

const resampled = ({ rate, samples }: Sound, to: number): Effect.Effect<Sound> =>
  Effect.map(wholeThrough(samples, () => makeResampler({ from: rate, to })), (samples) => ({ rate: to, samples }))

/**
 * Speaks to the end: once, or twice where what came out is checked and is not good. Then silence is trimmed, the bounds
 * are kept, and it is written, in this order (design: telephony 3.3).
 */
export const speakWhole = ({ codecs, quality, synthesizer }: Parts, { asked, reference, script }: Ready) =>
  Effect.gen(function*() {
    const { bounds, check, format, pace, trim } = asked
    const { nativeRate: rate } = synthesizer.ability

    const takeOf = (take: number): Effect.Effect<Sound, SpeechFailure> =>
      Effect.map(Stream.runCollect(spoken(synthesizer, { script, pace, reference, take })), (pieces) => {
        const sound = { rate, samples: joined(Chunk.toReadonlyArray(pieces)) }
        return trim && script.clauses.length === 1 ? trimSilence(sound) : sound
      })

    const taken = yield* check ? quality.bestTake(takeOf, { ...script, pace }) : takeOf(0)
    const most = mostSeconds(bounds, reference.seconds)
    const bounded = yield* resampled(yield* noLonger(taken, most), format.rate)
    const sound = noShorter(bounded, bounds.least)
    const bytes = yield* Effect.mapError(codecs.encode(sound, format), codecRefused)
    return { bytes, seconds: secondsOf(sound) }
  })
