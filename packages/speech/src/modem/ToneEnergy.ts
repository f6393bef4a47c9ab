/** The sum of the squares of some samples. */
export const energyOf = (samples: Float32Array): number => {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return energy
}

/** The energy of a tone of so many cycles a sample in some samples, by Goertzel: all of it where there is nothing else. */
export const toneEnergy = (samples: Float32Array, cycles: number): number => {
  const turn = 2 * Math.cos(2 * Math.PI * cycles)
  let before = 0
  let now = 0
  for (const sample of samples) {
    const next = turn * now - before + sample
    before = now
    now = next
  }
  return (now * now + before * before - turn * now * before) * 2 / samples.length
}
