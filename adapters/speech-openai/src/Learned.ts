import type { Reference } from "@trunkline/speech"
import { Clock, Duration, Effect } from "effect"

/** How many saved voices are kept: one may be a megabyte. */
const most = 16

/** How long one is kept, in ms. */
const lasting = Duration.toMillis("10 minutes")

interface Known {
  readonly value: unknown
  readonly until: number
}

/**
 * Keeps what a server said about voices: of saved ones the newest few, of the clip of a request no longer than somebody
 * has that clip. What is older than ten minutes is dropped whenever a voice is asked for. Failures are not kept.
 */
export const makeLearned = () => {
  const voices = new Map<string, Known>()
  const clips = new WeakMap<Reference["sound"], Known>()

  const find = ({ sound, voice_id }: Reference, now: number): unknown => {
    for (const [voice, { until }] of voices) if (until <= now) voices.delete(voice)
    const known = voice_id === null ? clips.get(sound) : voices.get(voice_id)
    return known !== undefined && known.until > now ? known.value : undefined
  }

  const keep = ({ sound, voice_id }: Reference, known: Known): void => {
    if (voice_id === null) {
      clips.set(sound, known)
      return
    }
    voices.delete(voice_id)
    voices.set(voice_id, known)
    const [oldest] = voices.keys()
    if (voices.size > most && oldest !== undefined) voices.delete(oldest)
  }

  return <A, E>(
    reference: Reference,
    ask: Effect.Effect<A, E>,
    isAnswer: (value: unknown) => value is A
  ): Effect.Effect<A, E> =>
    Effect.gen(function*() {
      const known = find(reference, yield* Clock.currentTimeMillis)
      if (isAnswer(known)) return known
      const value = yield* ask
      keep(reference, { value, until: (yield* Clock.currentTimeMillis) + lasting })
      return value
    })
}
