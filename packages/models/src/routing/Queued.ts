import { Effect, Stream } from "effect"
import type { Model } from "./Model.js"
import { makePlaces, type QueueOptions } from "./Places.js"
import { unwrapped } from "./Watched.js"

/**
 * Limits how many answers a model gives at once. Tenants share the places by fair queueing, and each tenant's requests are
 * served in order (see `makePlaces`). A stream counts until it ends or is abandoned. A request that finds the queue full,
 * is displaced, or has waited for `patience` fails with `ModelRateLimited`, whose `retryAfter` is that patience. Interrupted
 * requests leave the queue at once. Put it around `retrying`, so that retries do not wait outside the queue.
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
