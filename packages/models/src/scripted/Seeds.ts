/** One of several wordings: the first without a seed, and another one with the next seed. */
export const pick = <A>(variants: readonly [A, ...ReadonlyArray<A>], seed: number | undefined): A =>
  variants[Math.abs(Math.trunc(seed ?? 0)) % variants.length] ?? variants[0]

/** The 32-bit FNV-1a hash of a text's UTF-16 units, from 0 up to 1. */
export const share = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) / 0x1_0000_0000
}
