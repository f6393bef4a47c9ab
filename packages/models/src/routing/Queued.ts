import { Effect, Stream } from "effect"
import type { Model } from "./Model.js"
import { makePlaces, type QueueOptions } from "./Places.js"
import { unwrapped } from "./Watched.js"

/**
 * Lets a model give only so many answers at once. Tenants share the places fairly, and those of one tenant are served in
 * the order in which they came (see `makePlaces`). A stream counts until its end, or until nobody reads it any more. Who
 * would wait as one too many, and who has waited for as long as its patience, gets `ModelRateLimited`, whose `retryAfter`
 * is that patience. Who leaves while waiting leaves the queue at once. To be put around `retrying`, so that nobody who was
 * turned away waits for another attempt outside the queue.
 */
export const queued = (model: Model, options: QueueOptions): Model => {
  const makeVisit = makePlaces(options)
  return {
    generate: (request) =>
      Effect.suspend(() => {
        const { enter, leave } = makeVisit(request.origin?.tenant ?? null)
        return Effect.ensuring(Effect.zipRight(enter, model.generate(request)), leave)
      }),
    stream: (request) =>
      Stream.suspend(() => {
        const { enter, leave } = makeVisit(request.origin?.tenant ?? null)
        return Stream.ensuring(unwrapped(Effect.map(enter, () => model.stream(request))), leave)
      })
  }
}
