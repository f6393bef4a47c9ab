/** Deterministic noise: samples uniformly distributed between minus and plus a level. */
export const noiseOf = (length: number, level: number): Float32Array => {
  let state = 12_345
  return Float32Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return level * (state / 1_073_741_824 - 1)
  })
}
