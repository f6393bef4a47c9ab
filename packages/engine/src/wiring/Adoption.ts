import { Context, Effect, Layer, Queue } from "effect"

/**
 * Requests to look at once for calls that processes have left, in place of at the next poll: the provider of such a call has
 * turned to this process.
 */
export class Adoption extends Context.Tag("@trunkline/engine/Adoption")<Adoption, {
  /** Requests a look. Several requests before it are one. */
  readonly request: Effect.Effect<void>
  /** Completes when a look was requested since the last one. */
  readonly awaitRequest: Effect.Effect<void>
}>() {
  static readonly layer: Layer.Layer<Adoption> = Layer.effect(
    Adoption,
    Effect.map(Queue.sliding<void>(1), (requests) => ({
      request: Effect.asVoid(Queue.offer(requests, undefined)),
      awaitRequest: Queue.take(requests)
    }))
  )
}
