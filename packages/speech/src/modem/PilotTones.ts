import type { Audio } from "@trunkline/audio"
import { BusinessTime, macroTask } from "@trunkline/kernel"
import { Effect, Struct } from "effect"
import { type Pilot, pilots } from "./ModemEncoding.js"

/** Sum of the squared samples. */
export const energyOf = (samples: Float32Array): number => {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return energy
}

/** Energy of a tone, given in cycles per sample, by the Goertzel algorithm; all of the energy for a pure tone. */
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

/** A pilot tone without other tones, in seconds from the start of the audio. */
export interface PilotRun {
  readonly pilot: Pilot
  readonly from: number
  readonly to: number
}

/** Seconds from the start of one analysis window to the next. */
const hopSeconds = 0.002

/** Length of an analysis window. */
const windowSeconds = 0.008

/** Windows analysed before yielding to the event loop: a few milliseconds of work. */
const windowsPerTurn = 200

/** Power below which a window is silent: -80 dBFS. */
const silencePower = 1e-8

/** Least length of a run in windows; anything shorter than 6 ms is noise. */
const minWindows = 3

/** Longest gap inside a run: time stretching can blot out the middle of a tone. */
const maxGapSeconds = 0.01

/** Yields to the event loop while business time stands still. */
export const yieldToOthers = BusinessTime.hold(macroTask)

const pilotIn = (samples: Float32Array, rate: number): Pilot | undefined => {
  const energy = energyOf(samples)
  if (energy < silencePower * samples.length) return undefined
  return Struct.keys(pilots).find((pilot) => toneEnergy(samples, pilots[pilot] / rate) > energy / 2)
}

/** Adds a run, or extends the last one across a short gap. */
const add = (runs: Array<PilotRun>, run: PilotRun): void => {
  const last = runs.at(-1)
  if (last?.pilot === run.pilot && run.from - last.to < maxGapSeconds) runs[runs.length - 1] = { ...last, to: run.to }
  else runs.push(run)
}

/** Finds the runs of pilot tones, in order. A window belongs to a run when more than half its energy is the pilot's. */
export const findPilotRuns = Effect.fnUntraced(function*({ rate, samples }: Audio) {
  const windows = Math.floor((samples.length / rate - windowSeconds) / hopSeconds)
  const timeAt = (window: number) => window * hopSeconds + (windowSeconds - hopSeconds) / 2
  const runs: Array<PilotRun> = []
  let pilot: Pilot | undefined
  let since = 0
  for (let window = 0; window <= windows + 1; window++) {
    if (window % windowsPerTurn === windowsPerTurn - 1) yield* yieldToOthers
    const start = Math.round(window * hopSeconds * rate)
    const now = window > windows
      ? undefined
      : pilotIn(samples.subarray(start, start + Math.round(windowSeconds * rate)), rate)
    if (now === pilot) continue
    if (pilot !== undefined && window - since >= minWindows) {
      add(runs, { pilot, from: timeAt(since), to: timeAt(window) })
    }
    pilot = now
    since = window
  }
  return runs
})
