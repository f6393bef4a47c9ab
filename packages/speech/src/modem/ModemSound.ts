import { highTones, lowTones, type ModemSymbol, pilots } from "./ModemSymbol.js"

/** The root mean square of the sound: -20 dBFS, as loud as speech on a telephone. */
const level = 0.1

/** Seconds over which a symbol rises and falls, so that it makes no click. */
const fade = 0.002

const tonesOf = (symbol: ModemSymbol): ReadonlyArray<number> =>
  typeof symbol === "number"
    ? [lowTones[symbol >> 4] ?? 0, highTones[symbol & 15] ?? 0]
    : [pilots[symbol]]

/** The sound of symbols that take `seconds` each, one after the other, made when it is asked for. */
export function* soundOf(
  symbols: ReadonlyArray<ModemSymbol>,
  { rate, seconds }: { readonly rate: number; readonly seconds: number }
): Generator<Float32Array, void> {
  const startOf = (index: number) => Math.round(index * seconds * rate)
  for (const [index, symbol] of symbols.entries()) {
    const samples = new Float32Array(startOf(index + 1) - startOf(index))
    const tones = tonesOf(symbol)
    for (const frequency of tones) addTone(samples, frequency / rate, level * Math.sqrt(2 / tones.length))
    fadeEnds(samples, Math.floor(fade * rate))
    yield samples
  }
}

/** Adds a tone of so many cycles a sample, which begins at its zero. */
const addTone = (samples: Float32Array, cycles: number, amplitude: number): void => {
  const step = 2 * Math.PI * cycles
  const turn = 2 * Math.cos(step)
  let before = -amplitude * Math.sin(step)
  let now = 0
  for (let index = 0; index < samples.length; index++) {
    samples[index] = (samples[index] ?? 0) + now
    const next = turn * now - before
    before = now
    now = next
  }
}

const fadeEnds = (samples: Float32Array, length: number): void => {
  for (let index = 0; index < length; index++) {
    const share = (1 - Math.cos(Math.PI * (index + 0.5) / length)) / 2
    const opposite = samples.length - 1 - index
    samples[index] = (samples[index] ?? 0) * share
    samples[opposite] = (samples[opposite] ?? 0) * share
  }
}
