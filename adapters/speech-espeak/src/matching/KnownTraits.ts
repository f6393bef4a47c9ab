import type { Sound } from "@trunkline/audio"
import { makeTurns } from "@trunkline/kernel"
import type { Reference } from "@trunkline/speech"
import { Effect } from "effect"
import { type Traits, traitsOf } from "./Traits.js"

/** The traits of voices, found once. */
export interface KnownTraits {
  readonly of: (reference: Reference) => Effect.Effect<Traits>
}

/** Saved voices whose traits are kept, a few numbers each. */
const most = 4_096

/**
 * Keeps the traits of the saved voices that were used last, by their ids, and of other clips as long as they are there.
 * One voice is listened to at a time, so that many new ones do not hold up the event loop together.
 */
export const makeKnownTraits = (): KnownTraits => {
  const voices = new Map<string, Traits>()
  const clips = new WeakMap<Sound, Traits>()

  const turns = makeTurns()

  const known = ({ sound, voice_id }: Reference): Traits | undefined =>
    voice_id === null ? clips.get(sound) : voices.get(voice_id)

  const keep = ({ sound, voice_id }: Reference, traits: Traits): Traits => {
    if (voice_id === null) clips.set(sound, traits)
    else {
      voices.delete(voice_id)
      voices.set(voice_id, traits)
      const [oldest] = voices.keys()
      if (voices.size > most && oldest !== undefined) voices.delete(oldest)
    }
    return traits
  }

  const found = (reference: Reference, otherwise: Effect.Effect<Traits>): Effect.Effect<Traits> =>
    Effect.suspend(() => {
      const traits = known(reference)
      return traits === undefined ? otherwise : Effect.succeed(keep(reference, traits))
    })

  return {
    of: (reference) => {
      const listen = Effect.map(traitsOf(reference), (traits) => keep(reference, traits))
      return found(reference, turns.take(found(reference, listen)))
    }
  }
}
