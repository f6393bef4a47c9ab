import { AsyncLocalStorage } from "node:async_hooks"
import type { TestedCall } from "../generated/Testing.js"

/** The run of a test that goes on: the seed of its calls, and those so far. */
export interface CurrentRun {
  readonly seed: number
  readonly calls: Array<TestedCall>
}

/** Name under which all copies of this module in a process find the same runs: that of the command line, and that of suites. */
const key = Symbol.for("trunkline/testing/runs")

const present: unknown = Reflect.get(globalThis, key)

const runs: AsyncLocalStorage<CurrentRun> = present instanceof AsyncLocalStorage ? present : new AsyncLocalStorage()

Reflect.set(globalThis, key, runs)

/** The run of the code that asks; undefined outside of one. */
export const currentRun = (): CurrentRun | undefined => runs.getStore()

/** Runs a test, whose calls have the seed where they name none. */
export const withRun = <A>(run: CurrentRun, test: () => Promise<A>): Promise<A> => runs.run(run, test)
