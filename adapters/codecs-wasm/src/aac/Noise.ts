/** Numbers from -1 to 1 by chance, though the same ones for every clip. */
export type Noise = () => number

export const makeNoise = (): Noise => {
  let seed = 1
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    return seed / 2 ** 31
  }
}

/** Makes values noise of some energy, which is the square of `gain`. */
export const fillWithNoise = (values: Float32Array, noise: Noise, gain: number): void => {
  let energy = 0
  for (let at = 0; at < values.length; at++) {
    const value = noise()
    values[at] = value
    energy += value * value
  }
  const scale = gain / Math.sqrt(energy)
  for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) * scale
}
