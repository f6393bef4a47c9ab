import type { Agent } from "@trunkline/agents"
import { type CallRule, callRules, ruleDefaults, type RuleName, type RuleOptions } from "@trunkline/conversation"
import type { TestedCall, Violation } from "../record/TestedCall.js"

/** Rules of a test: their bounds, and those that do not hold in it. */
export interface CheckOptions extends Partial<Pick<RuleOptions, "silence" | "repeats">> {
  /** Rules that are not checked; none by default. */
  readonly except?: ReadonlyArray<RuleName>
}

/** Tools of agents that have a property. */
const toolsWith = (agents: ReadonlyArray<Agent>, property: "once" | "repeatable"): ReadonlyArray<string> =>
  agents.flatMap(({ versions }) =>
    versions.flatMap(({ tools }) => tools.flatMap((tool) => tool[property] === true ? [tool.name] : []))
  )

/** The call with all rules that it breaks, in the order of their places. */
export const checkCall = (
  call: TestedCall,
  agents: ReadonlyArray<Agent>,
  { except = [], repeats = ruleDefaults.repeats, silence = ruleDefaults.silence }: CheckOptions = {}
): TestedCall => {
  const options: RuleOptions = {
    silence,
    repeats,
    once: toolsWith(agents, "once"),
    repeatable: toolsWith(agents, "repeatable")
  }
  const left: ReadonlyArray<string> = except
  const violations = Object.entries<CallRule>(callRules).filter(([rule]) => !left.includes(rule)).flatMap((
    [rule, faultsOf]
  ) => faultsOf(call, options).map((fault): Violation => ({ rule, ...fault })))
  return { ...call, violations: violations.toSorted((one, other) => (one.turn ?? Infinity) - (other.turn ?? Infinity)) }
}
