import type { Sound } from "@trunkline/audio"
import { BusinessTime, macroTask } from "@trunkline/kernel"
import { Effect, Struct } from "effect"
import { type Pilot, pilots } from "./ModemSymbol.js"
import { energyOf, toneEnergy } from "./ToneEnergy.js"

/** A pilot tone that sounds alone for a while, in seconds from the start of the sound. */
export interface PilotRun {
  readonly pilot: Pilot
  readonly from: number
  readonly to: number
}

/** Seconds from one look at the sound to the next, and seconds that each takes in. */
const [hop, width] = [0.002, 0.008]

/** Looks without a pause: a few milliseconds' work. */
const atOnce = 200

/** What is quieter is silence: -80 dBFS. */
const silence = 1e-8

/** Looks that a tone must last: anything shorter than 6 ms is chance. */
const shortest = 3

/** Seconds for which stretching may blot out a tone in its middle. */
const gap = 0.01

/** Lets others have their turn, while the time of calls stands still. */
export const pause = BusinessTime.hold(macroTask)

const pilotIn = (samples: Float32Array, rate: number): Pilot | undefined => {
  const energy = energyOf(samples)
  if (energy < silence * samples.length) return undefined
  return Struct.keys(pilots).find((pilot) => toneEnergy(samples, pilots[pilot] / rate) > energy / 2)
}

/** Adds a run, which goes on with the last one after no more than a gap. */
const add = (runs: Array<PilotRun>, run: PilotRun): void => {
  const last = runs.at(-1)
  if (last?.pilot === run.pilot && run.from - last.to < gap) runs[runs.length - 1] = { ...last, to: run.to }
  else runs.push(run)
}

/** Where pilot tones sound alone, in order. They are alone from when they fill half a look until they do no more. */
export const pilotRuns = Effect.fnUntraced(function*({ rate, samples }: Sound) {
  const looks = Math.floor((samples.length / rate - width) / hop)
  const timeOf = (look: number) => look * hop + (width - hop) / 2
  const runs: Array<PilotRun> = []
  let pilot: Pilot | undefined
  let since = 0
  for (let look = 0; look <= looks + 1; look++) {
    if (look % atOnce === atOnce - 1) yield* pause
    const start = Math.round(look * hop * rate)
    const now = look > looks ? undefined : pilotIn(samples.subarray(start, start + Math.round(width * rate)), rate)
    if (now === pilot) continue
    if (pilot !== undefined && look - since >= shortest) add(runs, { pilot, from: timeOf(since), to: timeOf(look) })
    pilot = now
    since = look
  }
  return runs
})
