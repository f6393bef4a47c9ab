import type { Reference } from "@trunkline/speech"
import { Clock, Duration, Effect } from "effect"

/** How many voices are kept: one may be a megabyte. */
const most = 16

/** How long one is kept, in ms. */
const lasting = Duration.toMillis("10 minutes")

/** A saved voice is the same in every request, the clip of a request only there. */
const keyOf = ({ sound, voice_id }: Reference): unknown => voice_id ?? sound

/** Keeps what a server said about voices, the newest few of them, for some minutes. Failures are not kept. */
export const makeLearned = () => {
  const kept = new Map<unknown, { readonly value: unknown; readonly until: number }>()
  return <A, E>(
    reference: Reference,
    ask: Effect.Effect<A, E>,
    isAnswer: (value: unknown) => value is A
  ): Effect.Effect<A, E> =>
    Effect.gen(function*() {
      const key = keyOf(reference)
      const { until = 0, value: known } = kept.get(key) ?? {}
      if (until > (yield* Clock.currentTimeMillis) && isAnswer(known)) return known
      const value = yield* ask
      kept.set(key, { value, until: (yield* Clock.currentTimeMillis) + lasting })
      const [oldest] = kept.keys()
      if (kept.size > most) kept.delete(oldest)
      return value
    })
}
