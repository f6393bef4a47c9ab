import type { Sound } from "@trunkline/audio"
import { Effect } from "effect"
import { bytesPerBeat, highTones, lowTones, preamble } from "./ModemSymbol.js"
import { textOf } from "./ModemText.js"
import { pause, type PilotRun, pilotRuns } from "./PilotRuns.js"
import { energyOf, toneEnergy } from "./ToneEnergy.js"

/** The part of a symbol that is listened to: where it begins and ends is off by some milliseconds in stretched sound. */
const middle = 0.8

/** How much more or less time than expected may lie between two beats; more means that something is missing. */
const slack = 0.5

/** The texts that are spoken in a sound, one after the other. What is damaged or cut off is heard as far as it goes. */
export const textsIn = Effect.fnUntraced(function*(sound: Sound) {
  const texts: Array<string> = []
  for (const utterance of utterancesIn(yield* pilotRuns(sound))) texts.push(textOf(yield* bytesIn(sound, utterance)))
  return texts
})

/** Where an utterance is in a sound. */
interface Utterance {
  /** How long a symbol is, about. */
  readonly seconds: number
  /** The beats before its bytes, and the edge at its end unless that is missing. */
  readonly marks: ReadonlyArray<PilotRun>
}

const midOf = ({ from, to }: PilotRun): number => (from + to) / 2

const utterancesIn = (runs: ReadonlyArray<PilotRun>): ReadonlyArray<Utterance> =>
  runs.flatMap((_, index) => {
    const begun = runs.slice(index, index + preamble.length)
    const [, beat, , start] = begun
    if (beat === undefined || start === undefined) return []
    const seconds = (midOf(start) - midOf(beat)) / 2
    const isPreamble = begun.every(({ from, pilot }, place) =>
      pilot === preamble[place] && from - (begun[place - 1]?.to ?? from) < seconds / 2
    )
    if (!isPreamble) return []
    const rest = runs.slice(index + preamble.length)
    const end = rest.findIndex(({ pilot }) => pilot === "edge")
    return [{ seconds, marks: [start, ...rest.slice(0, end < 0 ? rest.length : end + 1)] }]
  })

const bytesIn = Effect.fnUntraced(function*(sound: Sound, { marks, seconds }: Utterance) {
  const bytes: Array<number> = []
  for (const [index, mark] of marks.entries()) {
    if (mark.pilot === "edge") break
    const begin = midOf(mark)
    const next = marks[index + 1]
    const [length = 0] = index === 0 ? byteAt(sound, begin + seconds, seconds) : bytes
    const expected = next?.pilot === "edge" ? length % bytesPerBeat + 1 : bytesPerBeat
    const { count, spacing } = laidOut(expected, seconds, next === undefined ? Infinity : endOf(next, seconds) - begin)
    for (let place = 1; place <= count; place++) bytes.push(...byteAt(sound, begin + place * spacing, spacing))
    yield* pause
  }
  return bytes.slice(1)
})

/** The middle of a mark after bytes. The end of an edge may be cut off, or one with the beginning of what comes after it. */
const endOf = (mark: PilotRun, seconds: number): number => mark.pilot === "beat" ? midOf(mark) : mark.from + seconds / 2

/** How many symbols to read of those expected, and how far they are apart, where there is so much time until a mark. */
const laidOut = (expected: number, seconds: number, time: number) => {
  const spacing = time / (expected + 1)
  return Math.abs(spacing / seconds - 1) < slack
    ? { count: expected, spacing }
    : { count: Math.min(expected, Math.round(time / seconds) - 1), spacing: seconds }
}

/** The byte whose tones are most of what sounds around a moment; none where there is nothing like that. */
const byteAt = ({ rate, samples }: Sound, moment: number, seconds: number): ReadonlyArray<number> => {
  const half = middle * seconds / 2
  const window = samples.subarray(Math.max(0, Math.round((moment - half) * rate)), Math.round((moment + half) * rate))
  const low = loudest(window, rate, lowTones)
  const high = loudest(window, rate, highTones)
  return low.energy + high.energy > energyOf(window) / 4 ? [low.index << 4 | high.index] : []
}

const loudest = (samples: Float32Array, rate: number, tones: ReadonlyArray<number>) =>
  tones
    .map((frequency, index) => ({ index, energy: toneEnergy(samples, frequency / rate) }))
    .reduce((most, tone) => tone.energy > most.energy ? tone : most)
