import { type Audio, durationOf, medianPitch, speechShare, syllableRate } from "@trunkline/audio"
import { macroTask, makeFairMutex } from "@trunkline/kernel"
import type { Reference } from "@trunkline/speech"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"

/** Scripts, with the letters and signs that espeak-ng 1.51 speaks in a second at 175 words per minute (measured). */
const scripts: ReadonlyArray<readonly [script: RegExp, perSecond: number]> = [
  [/\p{Script=Latin}/gu, 15.6],
  [/\p{Script=Devanagari}/gu, 11],
  [/\p{Script=Bengali}/gu, 10],
  [/\p{Script=Gujarati}/gu, 10.3],
  [/\p{Script=Gurmukhi}/gu, 11],
  [/\p{Script=Oriya}/gu, 9.7],
  [/\p{Script=Tamil}/gu, 14.8],
  [/\p{Script=Telugu}/gu, 10.5],
  [/\p{Script=Kannada}/gu, 11.4],
  [/\p{Script=Malayalam}/gu, 12.8]
]

/** Minimum length of a text, in seconds, and maximum share of other scripts and digits, for an estimate. */
const minSeconds = 0.7
const maxUnknownShare = 0.1

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Estimates the time of espeak for a text at 175 words per minute, in seconds without pauses; null when it cannot. */
export const estimatedSeconds = (text: string): number | null => {
  const total = countOf(text, /[\p{L}\p{M}\p{N}]/gu)
  const counts = scripts.map(([script, perSecond]) => ({ count: countOf(text, script), perSecond }))
  const sumOfCounts = counts.reduce((sum, { count }) => sum + count, 0)
  const seconds = counts.reduce((sum, { count, perSecond }) => sum + count / perSecond, 0)
  return seconds < minSeconds || total - sumOfCounts > maxUnknownShare * total ? null : seconds
}

/** Traits of a voice that espeak can match. */
export interface VoiceTraits {
  /** Median pitch, in Hz; null for a voice without a pitch. */
  readonly hertz: number | null
  /** Speaking rate: 1 is that of espeak at 175 words per minute. */
  readonly tempo: number
}

/** Syllables per second by `syllableRate` in espeak at 175 words per minute: 4.6 to 5.9 in the twelve languages. */
const espeakSyllableRate = 5.4

/** Range of tempo by text; outside of it, the text is not what the clip says. */
const minTempo = 0.5
const maxTempo = 2

/** Tempo by the text of the clip, if that is known and plausible. */
const tempoByText = ({ seconds, audio, text }: Reference): number | null => {
  const textSeconds = text === null ? null : estimatedSeconds(text)
  const tempo = textSeconds === null ? null : textSeconds / (speechShare(audio) * seconds)
  return tempo !== null && tempo > minTempo && tempo < maxTempo ? tempo : null
}

/** Tempo by the detected syllables; the reference gives the length of its clip. */
const tempoBySyllables = ({ seconds, audio }: Reference): number => {
  const syllables = syllableRate(audio)
  return syllables === null ? 1 : syllables * durationOf(audio) / seconds / espeakSyllableRate
}

/** Analyzes a voice, which takes about 30 ms for a clip of 15 seconds. The event loop turns before and in between. */
export const analyzeVoice = (reference: Reference): Effect.Effect<VoiceTraits> =>
  Effect.gen(function*() {
    yield* macroTask
    const hertz = medianPitch(reference.audio)
    yield* macroTask
    const tempo = tempoByText(reference)
    yield* macroTask
    return { hertz, tempo: tempo ?? tempoBySyllables(reference) }
  })

/** Traits of the voice that espeak has by itself. */
const ownVoice: VoiceTraits = { hertz: null, tempo: 1 }

/** Traits of voices, analyzed once. */
export interface VoiceTraitsCache {
  /** Traits of the voice of a clip, or of the engine's own voice for null. */
  readonly of: (reference: Reference | null) => Effect.Effect<VoiceTraits>
}

/** Maximum number of saved voices in the cache, a few numbers each. */
const maxCached = 4_096

/**
 * Caches the traits of recently used saved voices by id, and of other clips as long as those are referenced. One voice is
 * analyzed at a time, so that many new ones do not block the event loop together.
 */
export const makeVoiceTraitsCache = (): VoiceTraitsCache => {
  const voices = new LRUCache<string, VoiceTraits>({ max: maxCached })
  const clips = new WeakMap<Audio, VoiceTraits>()

  const turns = makeFairMutex()

  const find = ({ audio, voice_id }: Reference): VoiceTraits | undefined =>
    voice_id === null ? clips.get(audio) : voices.get(voice_id)

  const store = ({ audio, voice_id }: Reference, traits: VoiceTraits): VoiceTraits => {
    if (voice_id === null) clips.set(audio, traits)
    else voices.set(voice_id, traits)
    return traits
  }

  const cachedOr = (reference: Reference, otherwise: Effect.Effect<VoiceTraits>): Effect.Effect<VoiceTraits> =>
    Effect.suspend(() => {
      const traits = find(reference)
      return traits === undefined ? otherwise : Effect.succeed(store(reference, traits))
    })

  return {
    of: (reference) => {
      if (reference === null) return Effect.succeed(ownVoice)
      const analyze = Effect.map(analyzeVoice(reference), (traits) => store(reference, traits))
      return cachedOr(reference, turns.withLock(cachedOr(reference, analyze)))
    }
  }
}
