import type { TestedCall } from "../generated/Testing.js"
import { withRun } from "./CurrentRun.js"
import { thrownText } from "./ThrownText.js"

/** A run of a test with one seed. */
export interface SeedRun {
  readonly seed: number
  /** Error of the run; undefined when it passed. */
  readonly error: unknown
  readonly isPassed: boolean
  readonly calls: ReadonlyArray<TestedCall>
}

/** Share of the runs of a test that pass. */
export interface PassShare {
  /** From 0 to 1. */
  readonly share: number
  readonly runs: ReadonlyArray<SeedRun>
}

/** Options of runs with several seeds. */
export interface PassOptions {
  /** First seed; the next ones follow it. 1 by default. */
  readonly seed?: number
  /** Least share of the runs that must pass, 0 to 1; 1 by default: all of them. */
  readonly least?: number
}

/** Too few runs of a test pass. The message has the first failure. */
export class TooFewPass extends Error {
  override readonly name = "TooFewPass"

  constructor(readonly result: PassShare, least: number) {
    const failures = result.runs.filter(({ isPassed }) => !isPassed)
    const [first] = failures
    const reason = thrownText(first?.error)
    super(
      `${result.runs.length - failures.length} of ${result.runs.length} runs passed, and ${
        (least * 100).toFixed(0)
      } % should. Seeds that failed: ${
        failures.map(({ seed }) => seed).join(", ")
      }\n\nWith seed ${first?.seed}:\n${reason}`
    )
  }
}

/** One run of a test. */
export const runSeed = async (test: (seed: number) => unknown, seed: number): Promise<SeedRun> => {
  const calls: Array<TestedCall> = []
  try {
    await withRun({ seed, calls }, async () => test(seed))
    return { seed, error: undefined, isPassed: true, calls }
  } catch (error) {
    return { seed, error, isPassed: false, calls }
  }
}

/**
 * Runs a test several times, each with a seed of its own, which its calls have where they name none. Rejects with `TooFewPass` when
 * fewer pass than should.
 *
 * @example
 * ```ts
 * const { share } = await passShare(10, async () => {
 *   const call = await desk.call(playedBy({ model, goal: "Book a table for two" }))
 *   expectCall(call).used("book", { people: 2 })
 * }, { least: 0.9 })
 * ```
 */
export const passShare = async (
  times: number,
  test: (seed: number) => unknown,
  { least = 1, seed = 1 }: PassOptions = {}
): Promise<PassShare> => {
  const runs: Array<SeedRun> = []
  for (let index = 0; index < times; index++) runs.push(await runSeed(test, seed + index))
  const result = { share: runs.filter(({ isPassed }) => isPassed).length / Math.max(1, times), runs }
  if (result.share < least) throw new TooFewPass(result, least)
  return result
}
