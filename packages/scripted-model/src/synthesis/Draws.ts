/** Units of a name that are hashed. */
const max = 200

const fnvStart = 0x811c9dc5
const fnvPrime = 0x01000193

/** Derives the hash of a child from its parent's hash and the step to it (FNV-1a over UTF-16 units). */
export const childHash = (above: number, step: string | number): number => {
  const text = String(step)
  let hash = Math.imul(above ^ 0xff, fnvPrime)
  for (let index = 0; index < text.length && index < max; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), fnvPrime)
  }
  return hash >>> 0
}

/** Hashes a seed. */
export const seedHash = (seed: string): number => childHash(fnvStart, seed)

/** Draws a number from 0 up to 1 from a hash (with the finalizer of MurmurHash3). */
export const draw = (place: number): number => {
  let hash = Math.imul(place ^ (place >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}

/** Rotates a list so that it begins with a drawn member. */
export const rotate = <A>(members: ReadonlyArray<A>, place: number, turn = 0): ReadonlyArray<A> => {
  const first = members.length === 0 ? 0 : (Math.floor(draw(place) * members.length) + turn) % members.length
  return [...members.slice(first), ...members.slice(0, first)]
}
