import { runSeed, type SeedRun } from "../PassShare.js"
import { thrownText } from "../ThrownText.js"
import { guarded } from "./GuardedRun.js"
import { defaultTimeout, type Suite, type SuiteTest, sumOf, type TestResult } from "./Suite.js"

const failureOf = (seedRun: SeedRun | undefined, runs: number): string | null => {
  if (seedRun === undefined) return null
  return runs === 1 ? thrownText(seedRun.error) : `With seed ${seedRun.seed}:\n${thrownText(seedRun.error)}`
}

const runTest = async (
  { least = 1, name: suiteName, price, runs = 1, timeout = defaultTimeout }: Suite,
  file: string,
  [name, test]: readonly [string, SuiteTest]
): Promise<TestResult> => {
  const from = performance.now()
  const results: Array<SeedRun> = []
  const run = (seed: number) => guarded(timeout, async () => test(seed))
  for (let seed = 1; seed <= runs; seed++) results.push(await runSeed(run, seed))
  const passedRuns = results.filter(({ isPassed }) => isPassed).length
  const sum = sumOf(results.flatMap(({ calls }) => calls))
  const isPassed = passedRuns / runs >= least
  return {
    suite: suiteName,
    file,
    name,
    isPassed,
    runs,
    passedRuns,
    failure: isPassed ? null : failureOf(results.find((run) => !run.isPassed), runs),
    seconds: (performance.now() - from) / 1_000,
    ...sum,
    cost: price === undefined
      ? null
      : (sum.inputTokens * price.inputPerMillion + sum.outputTokens * price.outputPerMillion) / 1_000_000,
    currency: price === undefined ? null : price.currency ?? "USD"
  }
}

/** Runs the tests of a suite one after the other, those whose names have a text. */
export const runSuite = async (suite: Suite, file: string, filter = ""): Promise<ReadonlyArray<TestResult>> => {
  const results: Array<TestResult> = []
  for (const entry of Object.entries(suite.tests)) {
    if (`${suite.name} ${entry[0]}`.toLowerCase().includes(filter.toLowerCase())) {
      results.push(await runTest(suite, file, entry))
    }
  }
  return results
}
