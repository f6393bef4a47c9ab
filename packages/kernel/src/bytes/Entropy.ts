import { Context, Effect, Layer, Random } from "effect"

/**
 * A source of cryptographically secure random bytes, for secrets only. Ids and jitter use Effect's `Random` instead, so
 * that tests can seed them.
 *
 * `@trunkline/entropy-node` provides it from the operating system.
 */
export class Entropy extends Context.Tag("@trunkline/kernel/Entropy")<Entropy, {
  /** Draws `count` fresh random bytes. */
  readonly bytes: (count: number) => Effect.Effect<Uint8Array>
}>() {
  /** Repeats the same bytes for the same seed: for tests and rehearsals, never for real secrets. */
  static readonly layerSeeded = (seed: string) =>
    Layer.sync(Entropy, () => {
      const byte = Random.make(seed).nextIntBetween(0, 256)
      return { bytes: (count) => Effect.map(Effect.replicateEffect(byte, count), (bytes) => Uint8Array.from(bytes)) }
    })
}
