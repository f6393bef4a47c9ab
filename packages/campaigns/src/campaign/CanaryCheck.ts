import { misspeltName, type RuleViolation } from "@trunkline/errors"
import type { AppId, Scope } from "@trunkline/kernel"
import { agentIssues, type AgentVersions } from "@trunkline/telephony"
import { Effect } from "effect"
import type { CanarySettings } from "../canary/Canary.js"

type Issue = RuleViolation["issues"][number]

/** Most output variables that a message lists, or compares with a misspelt one. */
const maxNames = { listed: 10, compared: 50 }

const knownText = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "; they have none"
    : names.length <= maxNames.listed
    ? `; known are ${names.join(", ")}`
    : ""

/** Issue with a variable that no version collects, so that every conversation would count alike. */
const variableIssue = (
  variable: string,
  names: ReadonlyArray<string>,
  { loc, versions: [control, canary] }: {
    readonly versions: readonly [number, number]
    readonly loc: ReadonlyArray<string>
  }
): Issue => {
  const near = misspeltName(variable, names.slice(0, maxNames.compared))
  const end = near === undefined ? knownText(names) : `; did you mean ${near}?`
  return {
    loc: [...loc, "metric", "variable"],
    msg: `Neither version ${control} nor version ${canary} of the agent has the output variable "${variable}"${end}`,
    type: "rule_violation"
  }
}

/**
 * Validates what a canary refers to: its version of the agent, which must be committed, and the variable of its metric, which
 * the version of the campaign or its own must have as an output.
 */
export const canaryIssues = (
  agents: typeof AgentVersions.Service,
  scope: Scope,
  { app_version, metric }: Pick<CanarySettings, "app_version" | "metric">,
  { app_id, app_version: control, loc }: {
    readonly app_id: AppId
    /** Version of the campaign. */
    readonly app_version: number
    readonly loc: ReadonlyArray<string>
  }
): Effect.Effect<ReadonlyArray<Issue>> =>
  Effect.gen(function*() {
    const issues = yield* agentIssues(agents, scope, { app_id, app_version, loc })
    if (typeof metric === "string" || issues.length > 0) return issues
    const versions = [control, app_version] as const
    const outputs = yield* Effect.forEach(versions, (version) => agents.outputs(scope, app_id, version))
    const names = new Set(outputs.flatMap((knownNames) => knownNames ?? []))
    const isKnown = outputs.includes(null) || names.has(metric.variable)
    return isKnown ? [] : [variableIssue(metric.variable, [...names], { versions, loc })]
  })
