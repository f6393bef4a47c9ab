import { Entropy } from "@trunkline/rate-limits"
import { Chunk, Effect, Layer, Random } from "effect"
import { randomBytes, randomInt } from "node:crypto"

/** Bytes from the operating system's random source, for the secrets of keys. */
const layer: Layer.Layer<Entropy> = Layer.succeed(Entropy, {
  bytes: (count) => Effect.sync(() => new Uint8Array(randomBytes(count)))
})

const fraction = Effect.sync(() => randomInt(2 ** 48 - 1) / 2 ** 48)
const between = (min: number, max: number) => Effect.map(fraction, (part) => min + part * (max - min))

const random: Random.Random = {
  [Random.RandomTypeId]: Random.RandomTypeId,
  next: fraction,
  nextBoolean: Effect.map(fraction, (part) => part < 0.5),
  nextInt: Effect.map(between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), Math.floor),
  nextRange: between,
  nextIntBetween: (min, max) => Effect.map(between(min, max), Math.floor),
  shuffle: (elements) =>
    Effect.sync(() => {
      const shuffled = [...elements]
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = randomInt(last + 1)
        const [a, b] = [shuffled[last], shuffled[other]]
        if (a !== undefined && b !== undefined) [shuffled[last], shuffled[other]] = [b, a]
      }
      return Chunk.unsafeFromArray(shuffled)
    })
}

/**
 * Effect's Random over the operating system's random source. Effect's own is seeded with 32 bits, too few for ids that
 * several processes make for one store.
 */
const layerRandom: Layer.Layer<never> = Layer.setRandom(random)

/** Unguessable bytes and well-spread ids, from Node's crypto. */
export const EntropyNode = { layer, layerRandom }
