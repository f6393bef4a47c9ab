import { publish } from "./published.js"
import { report } from "./report.js"
import { measure, sipMediaProgram } from "./sip-media.js"

/** Size of the measurement. */
export interface RecordingBenchOptions {
  /** Calls at a time, of which half are recorded; 200 by default. */
  readonly calls?: number
  /** Duration of each part in seconds; 60 by default. */
  readonly seconds?: number
  /** Times that both halves are measured; 3 by default. The median counts. */
  readonly rounds?: number
}

const medianOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Measures the CPU time that recording adds to SIP calls with sound, whose pieces are sealed and stored on the disk. Both halves
 * run at once, in a process each, so that they have the same machine: one after the other they differ by a third.
 */
export const run = async ({ calls = 200, rounds = 3, seconds = 60 }: RecordingBenchOptions = {}): Promise<void> => {
  await publish(sipMediaProgram)
  const ratios: Array<number> = []
  const lateness: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const [plain, recorded] = await Promise.all([
      measure("media", calls / 2, seconds),
      measure("recorded", calls / 2, seconds)
    ])
    ratios.push(Number(recorded("cpu", 6)) / Number(plain("cpu", 6)))
    lateness.push(Number(recorded("late99")))
  }
  report({
    path: `${calls / 2} SIP calls with sound, recorded, beside as many that are not: CPU of all that a call takes`,
    ours: `${medianOf(ratios).toFixed(2)} times, packets late p99 ${medianOf(lateness).toFixed(1)} ms`,
    peer: "the calls without recording",
    ratio: `${medianOf(ratios).toFixed(2)} times`,
    goal: "1.10 times, p99 5 ms"
  })
}
