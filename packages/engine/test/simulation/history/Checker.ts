import { Evidence } from "./Evidence.js"
import type { HistoryEvent } from "./History.js"
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

/** Violation of a rule at an event of a history. */
export interface Violation {
  readonly rule: string
  readonly seq: number
  readonly message: string
}

/** Every rule. */
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

/** Checks the history of a run against every rule, and returns the violations. */
export const check = (events: ReadonlyArray<HistoryEvent>): ReadonlyArray<Violation> => {
  const evidence = new Evidence(events)
  return rules.flatMap(({ breaches, name }) => breaches(evidence).map((breach) => ({ rule: name, ...breach })))
}
