import { campaignFaults } from "@trunkline/campaigns"
import { callFaultPoints } from "@trunkline/telephony"
import { webhookFaultPoints } from "@trunkline/webhooks"
import { Effect } from "effect"
import { check, type Violation } from "./history/Checker.js"
import { type Scenario, scenarioOf } from "./world/Scenario.js"
import { SeededRandom } from "./world/SeededRandom.js"
import { type FaultInjection, type Run, simulate } from "./world/Simulation.js"

/** Fault points of the engine that campaigns pass. */
export const faultPoints: ReadonlyArray<string> = [...callFaultPoints, ...campaignFaults, ...webhookFaultPoints]

/** A run with the violations of its history. */
export interface CheckedRun {
  readonly run: Run
  readonly violations: ReadonlyArray<Violation>
}

/** Simulates a scenario, and checks its history. */
export const runScenario = (seed: number, scenario: Scenario, injection?: FaultInjection): Effect.Effect<CheckedRun> =>
  Effect.map(simulate(seed, scenario, injection), (run) => ({ run, violations: check(run.events) }))

/** Simulates the scenario of a seed, and checks its history. */
export const runSeed = (seed: number, injection?: FaultInjection): Effect.Effect<CheckedRun> =>
  runScenario(seed, scenarioOf(new SeededRandom(seed, "scenario"), faultPoints), injection)

/** Describes the violations and errors of a run, and how to replay it; null for a correct run. */
export const describeFailure = ({ run, violations }: CheckedRun): string | null =>
  violations.length + run.errors.length === 0
    ? null
    : [
      `seed ${run.seed}; replay it with: npm run simulate -- --seed ${run.seed}`,
      ...violations.map(({ rule, seq, message }) => `  at ${seq}: ${message} (${rule})`),
      ...run.errors.map((error) => `  logged: ${error}`)
    ].join("\n")
