import type { Sound } from "@trunkline/audio"
import type { Reference } from "@trunkline/speech"
import { Effect } from "effect"
import { type Traits, traitsOf } from "./Traits.js"

/** The traits of voices, found once. */
export interface KnownTraits {
  readonly of: (reference: Reference) => Effect.Effect<Traits>
}

/** Saved voices whose traits are kept, a few numbers each. */
const most = 4_096

/** Keeps the traits of the saved voices that were used last, by their ids, and of other clips as long as they are there. */
export const makeKnownTraits = (): KnownTraits => {
  const voices = new Map<string, Traits>()
  const clips = new WeakMap<Sound, Traits>()

  const keep = ({ sound, voice_id }: Reference, traits: Traits) => {
    if (voice_id === null) clips.set(sound, traits)
    else {
      voices.delete(voice_id)
      voices.set(voice_id, traits)
      const [oldest] = voices.keys()
      if (voices.size > most && oldest !== undefined) voices.delete(oldest)
    }
  }

  return {
    of: (reference) =>
      Effect.gen(function*() {
        const { sound, voice_id } = reference
        const known = voice_id === null ? clips.get(sound) : voices.get(voice_id)
        const traits = known ?? (yield* traitsOf(reference))
        keep(reference, traits)
        return traits
      })
  }
}
