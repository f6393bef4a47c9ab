/** How much of a name counts, in UTF-16 units. */
const most = 200

const fnvStart = 0x811c9dc5
const fnvPrime = 0x01000193

/** A place's number from the one above it and the step that leads to it (FNV-1a over UTF-16 units). */
export const childHash = (above: number, step: string | number): number => {
  const text = String(step)
  let hash = Math.imul(above ^ 0xff, fnvPrime)
  for (let index = 0; index < text.length && index < most; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), fnvPrime)
  }
  return hash >>> 0
}

/** The number that a seed starts with. */
export const seedHash = (seed: string): number => childHash(fnvStart, seed)

/** The draw that belongs to a place's number, from 0 up to 1 (the finalizer of MurmurHash3 spreads near numbers). */
export const draw = (place: number): number => {
  let hash = Math.imul(place ^ (place >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}

/** A list that begins with the one drawn of its members and goes round. */
export const rotate = <A>(members: ReadonlyArray<A>, place: number, turn = 0): ReadonlyArray<A> => {
  const first = members.length === 0 ? 0 : (Math.floor(draw(place) * members.length) + turn) % members.length
  return [...members.slice(first), ...members.slice(0, first)]
}
