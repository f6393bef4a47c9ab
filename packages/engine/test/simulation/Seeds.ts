import { campaignFaults } from "@trunkline/campaigns"
import { callFaultPoints } from "@trunkline/telephony"
import { webhookFaultPoints } from "@trunkline/webhooks"
import { Effect } from "effect"
import { check, type Violation } from "./history/Checker.js"
import { Dice } from "./world/Dice.js"
import { type Scenario, scenarioOf } from "./world/Scenario.js"
import { type Planting, type Run, simulate } from "./world/Simulation.js"

/** Every fault point of the engine that a campaign passes. */
export const faultPoints: ReadonlyArray<string> = [...callFaultPoints, ...campaignFaults, ...webhookFaultPoints]

/** A run, and what is wrong with it. */
export interface Checked {
  readonly run: Run
  readonly violations: ReadonlyArray<Violation>
}

/** Plays a scenario, and checks its history. */
export const checked = (seed: number, scenario: Scenario, plant?: Planting): Effect.Effect<Checked> =>
  Effect.map(simulate(seed, scenario, plant), (run) => ({ run, violations: check(run.happenings) }))

/** Plays the scenario of a seed, and checks its history. */
export const checkedSeed = (seed: number, plant?: Planting): Effect.Effect<Checked> =>
  checked(seed, scenarioOf(new Dice(seed, "scenario"), faultPoints), plant)

/** What there is to say of a run that went wrong, and how to see it again; null when it did not. */
export const complaint = ({ run, violations }: Checked): string | null =>
  violations.length + run.errors.length === 0
    ? null
    : [
      `seed ${run.seed}; replay it with: npm run simulate -- --seed ${run.seed}`,
      ...violations.map(({ rule, seq, what }) => `  at ${seq}: ${what} (${rule})`),
      ...run.errors.map((error) => `  logged: ${error}`)
    ].join("\n")
