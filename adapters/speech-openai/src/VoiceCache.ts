import type { Reference } from "@trunkline/speech"
import { Clock, Duration, Effect } from "effect"
import { LRUCache } from "lru-cache"

/** Saved voices kept in memory; one may be a megabyte. */
const maxVoices = 16

/** Time for which a voice is kept, in milliseconds. */
const timeToLive = Duration.toMillis("10 minutes")

interface CachedVoice {
  readonly value: unknown
  readonly expiresAt: number
}

/**
 * Caches a server's representation of voices: the latest 16 saved voices, and clips of single requests for as long as the
 * clip itself is in memory. Entries expire after ten minutes. Failures are not cached.
 */
export const makeVoiceCache = () => {
  const voices = new LRUCache<string, CachedVoice>({ max: maxVoices })
  const clips = new WeakMap<Reference["audio"], CachedVoice>()

  const find = ({ audio, voice_id }: Reference, now: number): unknown => {
    for (const [voice, { expiresAt }] of voices) if (expiresAt <= now) voices.delete(voice)
    const cachedVoice = voice_id === null ? clips.get(audio) : voices.get(voice_id)
    return cachedVoice !== undefined && cachedVoice.expiresAt > now ? cachedVoice.value : undefined
  }

  const store = ({ audio, voice_id }: Reference, cachedVoice: CachedVoice): void => {
    if (voice_id === null) clips.set(audio, cachedVoice)
    else voices.set(voice_id, cachedVoice)
  }

  return <A, E>(
    reference: Reference,
    request: Effect.Effect<A, E>,
    isValid: (value: unknown) => value is A
  ): Effect.Effect<A, E> =>
    Effect.gen(function*() {
      const entry = find(reference, yield* Clock.currentTimeMillis)
      if (isValid(entry)) return entry
      const value = yield* request
      store(reference, { value, expiresAt: (yield* Clock.currentTimeMillis) + timeToLive })
      return value
    })
}
