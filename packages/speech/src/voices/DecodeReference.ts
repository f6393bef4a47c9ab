import {
  type Audio,
  type AudioCodecs,
  type Clip,
  durationOf,
  SampleRate,
  speechShare,
  speechStart
} from "@trunkline/audio"
import type { BadRequest, ModelUnavailable } from "@trunkline/errors"
import { Effect, Schema } from "effect"
import { badRequest, toClipError } from "../forms/FormErrors.js"
import { resample } from "./AudioStages.js"

/** Longest clip of a request, and length kept of the clip of a saved voice, in seconds. */
export const maxReferenceSeconds = 15

/** Seconds by which a clip may exceed its limit, since codecs add padding. */
const toleranceSeconds = 0.05

const minSeconds = 0.5

/** Least share of a clip that must be speech. */
const minSpeechShare = 0.05

/** Origin and limit of a clip. */
interface ClipLimits {
  /** The form field that holds the clip, for error messages. */
  readonly param: string
  readonly maxSeconds: number
}

const isSampleRate = Schema.is(SampleRate)

/** Excerpt of at most `seconds`, from the start of speech where enough audio follows it. */
const excerpt = (audio: Audio, seconds: number): Audio => {
  if (durationOf(audio) <= seconds) return audio
  const { rate, samples } = audio
  const length = Math.round(seconds * rate)
  const start = Math.min(Math.round(speechStart(audio) * rate), samples.length - length)
  return { rate, samples: samples.slice(start, start + length) }
}

/** Resamples audio whose rate is not one that files are written with. */
const atStandardRate = (audio: Audio): Effect.Effect<Audio> =>
  isSampleRate(audio.rate) ? Effect.succeed(audio) : resample(audio, audio.rate > 48_000 ? 48_000 : 24_000)

/**
 * Decodes a reference clip and keeps at most 15 seconds of it, from the start of speech. Fails with `BadRequest` about the
 * clip's field when the clip cannot be decoded, is too long, is shorter than 0.5 seconds, or has less than 5% speech.
 */
export const decodeReference = (
  codecs: AudioCodecs["Type"],
  clip: Clip,
  { maxSeconds, param }: ClipLimits
): Effect.Effect<Audio, BadRequest | ModelUnavailable> =>
  Effect.gen(function*() {
    const decoding = codecs.decode(clip, { seconds: maxSeconds + toleranceSeconds })
    const audio = yield* Effect.flatMap(Effect.mapError(decoding, toClipError(param)), atStandardRate)
    if (durationOf(audio) < minSeconds) {
      return yield* badRequest(param, `${param} cannot be used. It is shorter than ${minSeconds} seconds`)
    }
    const referenceClip = excerpt(audio, maxReferenceSeconds)
    if (speechShare(referenceClip) < minSpeechShare) {
      return yield* badRequest(param, `${param} cannot be used. It contains no speech`)
    }
    return referenceClip
  })
