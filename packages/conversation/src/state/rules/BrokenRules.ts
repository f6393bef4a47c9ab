import { makeCounter } from "@trunkline/kernel"
import { Effect } from "effect"
import type { CallPlan, CallState, SpokenTurn } from "../CallState.js"
import type { CallFacts, CallFactTurn } from "./CallFacts.js"
import { type CallRule, callRules, ruleDefaults, type RuleName, type RuleOptions } from "./CallRules.js"

/** Rules that the state of a call can tell: the others need the sound of the line, or what the record is compared with. */
const rulesOfEnd = ["tool-twice", "loop", "ends", "after-goodbye", "failure"] as const satisfies ReadonlyArray<RuleName>

/** Name of a rule that is checked at the end of calls. */
type EndRule = typeof rulesOfEnd[number]

const brokenCounter = makeCounter({
  name: "trunkline_broken_call_rules_total",
  help: "Ended calls that broke a rule of every call",
  labels: { rule: rulesOfEnd }
})

const turnOf = (startedAt: number) => ({ at, role, text, tool }: SpokenTurn): CallFactTurn => {
  const second = (at - startedAt) / 1_000
  const time = { from: second, to: second }
  switch (role) {
    case "agent":
      return { role, text, meant: text, interrupted: false, ...time }
    case "user":
      return { role: "caller", does: "says", text, ...time }
    case "tool":
      return { role, name: tool?.name ?? "", input: tool?.arguments, failed: tool?.outcome !== "done", ...time }
  }
}

/** Facts of a call in the state in which it has ended. Uses of the agent's own tools, such as `end_call`, are none. */
const factsOf = (
  { startedAt }: CallPlan,
  { endedBy, fault, turns }: CallState,
  names: ReadonlySet<string>
): CallFacts => ({
  turns: turns.filter(({ role, tool }) => role !== "tool" || (tool !== undefined && names.has(tool.name)))
    .map(turnOf(startedAt)),
  fault,
  endedBy: endedBy ?? "agent",
  seconds: ((turns.at(-1)?.at ?? startedAt) - startedAt) / 1_000,
  record: [],
  refusals: 0,
  leftOpen: false
})

/** The rules that an ended call has broken, each once. */
const brokenRules = (plan: CallPlan, state: CallState): ReadonlyArray<EndRule> => {
  const tools = plan.team.flatMap(({ version }) => version.tools)
  const namesOf = (property: "once" | "repeatable") =>
    tools.flatMap((tool) => tool[property] === true ? [tool.name] : [])
  const options: RuleOptions = { ...ruleDefaults, once: namesOf("once"), repeatable: namesOf("repeatable") }
  const facts = factsOf(plan, state, new Set(tools.map(({ name }) => name)))
  return rulesOfEnd.filter((name) => {
    const rule: CallRule = callRules[name]
    return rule(facts, options).length > 0
  })
}

/** Counts the rules that an ended call has broken, and warns of them: once for a call, by their names alone. */
export const warnOfBrokenRules = (plan: CallPlan, state: CallState): Effect.Effect<void> =>
  Effect.suspend(() => {
    const rules = brokenRules(plan, state)
    if (rules.length === 0) return Effect.void
    for (const rule of rules) brokenCounter.add(1, { rule })
    const { app_id, app_version, attempt_id } = plan.brief
    return Effect.logWarning(
      `A call of agent "${app_id}", version ${app_version}, broke rules of every call: ${rules.join(", ")}.`
    ).pipe(Effect.annotateLogs({ attempt_id }))
  })
