import { Context, Effect, Layer, Random } from "effect"

/** Bytes that nobody can guess, for secrets. Nothing else may draw on it: ids and jitter use Effect's Random. */
export class Entropy extends Context.Tag("@trunkline/kernel/Entropy")<Entropy, {
  /** So many fresh random bytes. */
  readonly bytes: (count: number) => Effect.Effect<Uint8Array>
}>() {
  /** The same bytes for the same seed: for tests and rehearsals, never for keys that guard anything. */
  static readonly layerSeeded = (seed: string) =>
    Layer.sync(Entropy, () => {
      const byte = Random.make(seed).nextIntBetween(0, 256)
      return { bytes: (count) => Effect.map(Effect.replicateEffect(byte, count), (bytes) => Uint8Array.from(bytes)) }
    })
}
