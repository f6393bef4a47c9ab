import { type Audio, type AudioCodecs, concatSamples, durationOf, trimSilence } from "@trunkline/audio"
import { Effect, Stream } from "effect"
import { badRequest, toCodecError } from "../forms/FormErrors.js"
import type { GenerateRequest } from "../forms/GenerateForm.js"
import type { QualityCheck } from "../quality/QualityCheck.js"
import type { Reference, SpeechFailure, Synthesizer } from "../Synthesizer.js"
import { padTo, resample, shortenTo, truncateTo } from "../voices/AudioStages.js"
import { renderScript, type SpeechScript } from "./Script.js"

/** A speech in one piece, encoded in the requested format. */
export interface GeneratedSpeech {
  readonly bytes: Uint8Array
  /** Duration of the audio in seconds, without the padding that a codec may add. */
  readonly seconds: number
}

/** Longest speech in one piece, in seconds. A thousand characters take less, unless they are figures to spell out. */
export const maxSpeechSeconds = 300

const tooLong = badRequest("text", `text is longer than ${maxSpeechSeconds} seconds when it is spoken: stream it`)

interface Services {
  readonly synthesizer: Synthesizer["Type"]
  readonly quality: QualityCheck["Type"]
  readonly codecs: AudioCodecs["Type"]
}

interface GenerateJob {
  readonly request: GenerateRequest
  readonly script: SpeechScript
  readonly reference: Reference
}

/**
 * Generates a speech in one piece: renders it (a second time when a quality check is requested and fails), trims silence,
 * applies the duration bounds, and encodes it, in this order.
 */
export const speakWhole = ({ codecs, quality, synthesizer }: Services, { request, reference, script }: GenerateJob) =>
  Effect.gen(function*() {
    const { bounds, check, format, pace, trim } = request
    const { nativeRate: rate } = synthesizer.ability

    const renderTake = (take: number): Effect.Effect<Audio, SpeechFailure> =>
      Effect.gen(function*() {
        const chunks: Array<Float32Array> = []
        let remaining = maxSpeechSeconds * rate
        yield* Stream.runForEach(renderScript(synthesizer, { script, pace, reference, take }), (chunk) => {
          chunks.push(chunk)
          remaining -= chunk.length
          return remaining < 0 ? tooLong : Effect.void
        })
        const audio = { rate, samples: concatSamples(chunks) }
        return trim && script.clauses.length === 1 ? trimSilence(audio) : audio
      })

    const take = yield* check ? quality.bestTake(renderTake, { ...script, pace }) : renderTake(0)
    // The upper bound never cuts a speech below the length of its reference.
    const maxSeconds = bounds.max === null ? null : Math.max(bounds.max, reference.seconds)
    const boundedAudio = yield* resample(yield* shortenTo(take, maxSeconds), format.rate)
    const audio = padTo(truncateTo(boundedAudio, maxSeconds), bounds.min)
    const bytes = yield* Effect.mapError(codecs.encode(audio, format), toCodecError)
    return { bytes, seconds: durationOf(audio) }
  })
