import { Evidence } from "./Evidence.js"
import type { Happening } from "./History.js"
import type { Rule } from "./Rule.js"
import { capacityRules } from "./rules/Capacity.js"
import { dialRules } from "./rules/Dials.js"
import { lostRules } from "./rules/Lost.js"
import { paceRules } from "./rules/Pace.js"
import { resultRules } from "./rules/Results.js"
import { retryRules } from "./rules/Retries.js"
import { stateRules } from "./rules/States.js"
import { stopRules } from "./rules/Stops.js"
import { timeRules } from "./rules/Times.js"
import { webhookRules } from "./rules/Webhooks.js"

/** A rule that a history breaks, where it does, and how. */
export interface Violation {
  readonly rule: string
  readonly seq: number
  readonly what: string
}

/** Every rule there is. */
export const rules: ReadonlyArray<Rule> = [
  ...dialRules,
  ...timeRules,
  ...stopRules,
  ...capacityRules,
  ...paceRules,
  ...retryRules,
  ...resultRules,
  ...webhookRules,
  ...stateRules,
  ...lostRules
]

/** Everything that is wrong with a run, by what happened in it. Nothing, for a good one. */
export const check = (happenings: ReadonlyArray<Happening>): ReadonlyArray<Violation> => {
  const evidence = new Evidence(happenings)
  return rules.flatMap(({ breaches, name }) => breaches(evidence).map((breach) => ({ rule: name, ...breach })))
}
