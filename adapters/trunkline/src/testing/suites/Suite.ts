import type { TestedCall } from "../../generated/Testing.js"
import type { Judge } from "../models/Judge.js"

/** A test of a suite. */
export type SuiteTest = (seed: number) => unknown

/** Price of a model, for the table of `npx trunkline test`. */
export interface SuitePrice {
  readonly inputPerMillion: number
  readonly outputPerMillion: number
  /** Currency of these, such as `USD`, the default. */
  readonly currency?: string
}

/** Tests that `npx trunkline test` runs, by their names. */
export interface Suite {
  readonly name: string
  readonly tests: Readonly<Record<string, SuiteTest>>
  /** Number of runs of each test, each with a seed of its own; 1 by default. */
  readonly runs?: number
  /** Least share of the runs that must pass, 0 to 1; 1 by default. */
  readonly least?: number
  /** Longest time of each run in seconds of real time; 120 by default. A run that takes longer fails, and the next one begins. */
  readonly timeout?: number
  /** Judge of its calls, whose agreement with labelled transcripts is printed below the table; none by default. */
  readonly judge?: Pick<Judge, "agreement">
  /** Price of the tokens of its calls; none by default. */
  readonly price?: SuitePrice
}

/** Default of `timeout`: a call with a slow model of another host takes some tens of seconds. */
export const defaultTimeout = 120

/** Longest `timeout` in seconds: a day. */
export const maxTimeout = 86_400

/**
 * Returns a suite as it is. A file whose name ends with `.calls.mjs`, `.calls.js`, `.calls.mts` or `.calls.ts` exports one as
 * `suite`, or as its default, and `npx trunkline test` runs it.
 */
export const defineSuite = (suite: Suite): Suite => suite

/** Result of a test. */
export interface TestResult {
  readonly suite: string
  readonly file: string
  readonly name: string
  readonly isPassed: boolean
  readonly runs: number
  readonly passedRuns: number
  /** Message of the first failure; null without one. */
  readonly failure: string | null
  /** Seconds of real time, and seconds of the calls. */
  readonly seconds: number
  readonly callSeconds: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Cost of the tokens; null where the suite has no price. */
  readonly cost: number | null
  readonly currency: string | null
}

/** Result of a file whose suite, or its judge, cannot be run: one failed test. */
export const notRun = (file: string, failure: string): TestResult => ({
  suite: file,
  file,
  name: "can be run",
  isPassed: false,
  runs: 1,
  passedRuns: 0,
  failure,
  seconds: 0,
  ...sumOf([]),
  cost: null,
  currency: null
})

/** Sums over the calls of a test. */
export const sumOf = (calls: ReadonlyArray<TestedCall>) => {
  const exchanges = calls.flatMap(({ model }) => model)
  return {
    calls: calls.length,
    callSeconds: calls.reduce((sum, { seconds }) => sum + seconds, 0),
    inputTokens: exchanges.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: exchanges.reduce((sum, { outputTokens }) => sum + outputTokens, 0)
  }
}
