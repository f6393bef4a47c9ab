import type { Audio } from "@trunkline/audio"
import { Effect, Layer } from "effect"
import { Transcriber } from "../Transcriber.js"
import { bytesPerBeat, decodeText, highTones, lowTones, preamble } from "./ModemEncoding.js"
import { energyOf, findPilotRuns, type PilotRun, toneEnergy, yieldToOthers } from "./PilotTones.js"

/**
 * Transcriber for tests that decodes the audio of `modemVoice` exactly, after any codec, telephone line or change of pace
 * between 0.5 and 2. Consecutive utterances are joined by a space; all other audio transcribes to nothing.
 */
export const modemTranscriber = Layer.succeed(Transcriber, {
  available: true,
  transcribe: (audio) => Effect.map(decodeTexts(audio), (texts) => texts.filter((text) => text !== "").join(" "))
})

/** Share of a symbol that is analysed: the boundaries are off by some milliseconds in stretched audio. */
const middle = 0.8

/** Relative deviation from the expected time between two beats beyond which symbols are missing. */
const slack = 0.5

/** Decodes all utterances in order. A damaged or truncated utterance is decoded as far as possible. */
const decodeTexts = Effect.fnUntraced(function*(audio: Audio) {
  const texts: Array<string> = []
  for (const utterance of findUtterances(yield* findPilotRuns(audio))) {
    texts.push(decodeText(yield* readBytes(audio, utterance)))
  }
  return texts
})

/** Position of an utterance in the audio. */
interface Utterance {
  /** Approximate length of a symbol. */
  readonly seconds: number
  /** The beats before groups of bytes, and the final edge unless it is missing. */
  readonly marks: ReadonlyArray<PilotRun>
}

const midOf = ({ from, to }: PilotRun): number => (from + to) / 2

const findUtterances = (runs: ReadonlyArray<PilotRun>): ReadonlyArray<Utterance> =>
  runs.flatMap((_, index) => {
    const head = runs.slice(index, index + preamble.length)
    const [, beat, , start] = head
    if (beat === undefined || start === undefined) return []
    const seconds = (midOf(start) - midOf(beat)) / 2
    const isPreamble = head.every(({ from, pilot }, place) =>
      pilot === preamble[place] && from - (head[place - 1]?.to ?? from) < seconds / 2
    )
    if (!isPreamble) return []
    const rest = runs.slice(index + preamble.length)
    const end = rest.findIndex(({ pilot }) => pilot === "edge")
    return [{ seconds, marks: [start, ...rest.slice(0, end < 0 ? rest.length : end + 1)] }]
  })

const readBytes = Effect.fnUntraced(function*(audio: Audio, { marks, seconds }: Utterance) {
  const bytes: Array<number> = []
  for (const [index, mark] of marks.entries()) {
    if (mark.pilot === "edge") break
    const begin = midOf(mark)
    const next = marks[index + 1]
    const [length = 0] = index === 0 ? byteAt(audio, begin + seconds, seconds) : bytes
    const symbolCount = next?.pilot === "edge" ? length % bytesPerBeat + 1 : bytesPerBeat
    const { count, spacing } = layOut(
      symbolCount,
      seconds,
      next === undefined ? Infinity : endOf(next, seconds) - begin
    )
    for (let place = 1; place <= count; place++) bytes.push(...byteAt(audio, begin + place * spacing, spacing))
    yield* yieldToOthers
  }
  return bytes.slice(1)
})

/** Middle of a mark after bytes. The end of an edge may be cut off, or merge with the edge of the next utterance. */
const endOf = (mark: PilotRun, seconds: number): number => mark.pilot === "beat" ? midOf(mark) : mark.from + seconds / 2

/** Number and spacing of the symbols to read in the time until the next mark. */
const layOut = (symbolCount: number, seconds: number, time: number) => {
  const spacing = time / (symbolCount + 1)
  return Math.abs(spacing / seconds - 1) < slack
    ? { count: symbolCount, spacing }
    : { count: Math.min(symbolCount, Math.round(time / seconds) - 1), spacing: seconds }
}

/** Decodes the byte whose tones dominate around a moment; none when no tones do. */
const byteAt = ({ rate, samples }: Audio, moment: number, seconds: number): ReadonlyArray<number> => {
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
