import {
  type AudioCodecs,
  type Clip,
  SampleRate,
  secondsOf,
  type Sound,
  speechShare,
  speechStart
} from "@trunkline/audio"
import type { BadRequest, ModelUnavailable } from "@trunkline/errors"
import { Effect, Schema } from "effect"
import { clipRefused, refuse } from "../forms/Rules.js"
import { resampled } from "./InSlices.js"

/** How long the clip of a request may be, and how much of one is kept for a saved voice (specification, Limits). */
export const referenceSeconds = 15

/** How much longer than it says a clip may turn out to be, in seconds, and what it must hold (design: telephony 3.4). */
const tolerance = 0.05
const leastSeconds = 0.5
const leastSpeech = 0.05

/** Where a clip comes from: the field that holds it, and how long it may be. */
export interface ClipRules {
  readonly param: string
  readonly longest: number
}

const isSampleRate = Schema.is(SampleRate)

const within = (sound: Sound, seconds: number): Sound => {
  if (secondsOf(sound) <= seconds) return sound
  const { rate, samples } = sound
  const length = Math.round(seconds * rate)
  const start = Math.min(Math.round(speechStart(sound) * rate), samples.length - length)
  return { rate, samples: samples.slice(start, start + length) }
}

/** A sound at a rate that files are written with: its own where that is one. */
const atFileRate = (sound: Sound): Effect.Effect<Sound> =>
  isSampleRate(sound.rate) ? Effect.succeed(sound) : resampled(sound, sound.rate > 48_000 ? 48_000 : 24_000)

/**
 * The voice in a clip: at most 15 seconds of it, from where somebody begins to speak. A clip that cannot be read, is too
 * long or too short, or in which nobody speaks, is a `BadRequest` about its field.
 */
export const readReference = (
  codecs: AudioCodecs["Type"],
  clip: Clip,
  { longest, param }: ClipRules
): Effect.Effect<Sound, BadRequest | ModelUnavailable> =>
  Effect.gen(function*() {
    const decoding = codecs.decode(clip, { seconds: longest + tolerance })
    const sound = yield* Effect.flatMap(Effect.mapError(decoding, clipRefused(param)), atFileRate)
    if (secondsOf(sound) < leastSeconds) {
      return yield* refuse(param, `${param} cannot be used. It is shorter than ${leastSeconds} seconds`)
    }
    const heard = within(sound, referenceSeconds)
    if (speechShare(heard) < leastSpeech) {
      return yield* refuse(param, `${param} cannot be used. Nobody speaks in it`)
    }
    return heard
  })
