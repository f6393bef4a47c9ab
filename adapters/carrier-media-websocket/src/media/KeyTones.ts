/** Frequencies of the keys of a telephone, by row and column (ITU-T Q.23). */
const rows: ReadonlyArray<readonly [frequency: number, keys: string]> = [
  [697, "123A"],
  [770, "456B"],
  [852, "789C"],
  [941, "*0#D"]
]
const columns: ReadonlyArray<number> = [1209, 1336, 1477, 1633]

/** Duration of a key and of the pause after it, in milliseconds. */
const duration = { key: 100, pause: 80 }

/** Frequencies of a key; null for other characters. */
export const frequenciesOf = (key: string): readonly [row: number, column: number] | null => {
  for (const [frequency, keys] of rows) {
    const column = key === "" ? undefined : columns[keys.indexOf(key)]
    if (column !== undefined) return [frequency, column]
  }
  return null
}

/** Sound of keys at a rate in hertz, one after the other; other characters are ignored. */
export const keyTones = (keys: string, rate: number): Float32Array => {
  const tones = Array.from(keys, frequenciesOf).filter((tone) => tone !== null)
  const length = (duration.key + duration.pause) * rate / 1000
  const samples = new Float32Array(tones.length * length)
  tones.forEach(([row, column], index) => {
    for (let at = 0; at < duration.key * rate / 1000; at++) {
      const turn = 2 * Math.PI * at / rate
      samples[index * length + at] = 0.3 * (Math.sin(row * turn) + Math.sin(column * turn))
    }
  })
  return samples
}
