import type { Vitest } from "@effect/vitest"
import { AppId, CampaignId, CohortId, DeploymentId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"
import type { Fact, FactNames } from "../facts/Fact.js"
import { factOf, unansweredFact } from "../fixtures.js"
import { type FactChange, type Parameter, Warehouse } from "../Warehouse.js"

/** Test functions of the laws: in real time, with a warehouse. */
export type LawsTest = Vitest.MethodsNonLive<Warehouse, true>

/** A workspace for one law. */
export const lawScope = (name: string, workspace = "main"): Scope =>
  new Scope({ org_id: OrgId.make(`law-${name}`), workspace_id: WorkspaceId.make(workspace) })

/** Rows of a statement. */
export const rowsOf = (
  scope: Scope,
  text: string,
  options: { readonly parameters?: ReadonlyArray<Parameter>; readonly maxRows?: number } = {}
) =>
  Effect.flatMap(Warehouse, (warehouse) => {
    const { maxRows = 1000, parameters = [] } = options
    return Effect.map(warehouse.query(scope, { text, parameters, maxRows }), ({ rows }) => rows)
  })

/** A fact with its names. */
export type NamedFact = Fact & FactNames

const pick = <A>(of: readonly [A, ...ReadonlyArray<A>], number: number): A => of[number % of.length] ?? of[0]

const first = DateTime.unsafeMake("2026-01-05T00:00:00Z")

interface Origin {
  readonly direction: Fact["direction"]
  readonly campaign_id: string | null
  readonly campaign_name: string | null
  readonly cohort: string | null
}

const origins: readonly [Origin, ...ReadonlyArray<Origin>] = [
  { direction: "campaign", campaign_id: "camp-000000000001", campaign_name: "Winter reminders", cohort: "North" },
  { direction: "campaign", campaign_id: "camp-000000000001", campaign_name: "Winter reminders", cohort: "दक्षिण" },
  { direction: "campaign", campaign_id: "camp-000000000002", campaign_name: "Fee \"due\" today", cohort: "All" },
  { direction: "inbound", campaign_id: null, campaign_name: null, cohort: null },
  { direction: "outbound", campaign_id: null, campaign_name: null, cohort: null }
]

type Outcome = "connected" | "busy" | "no_answer" | "failed"

const outcomes: readonly [Outcome, ...ReadonlyArray<Outcome>] = [
  "connected",
  "connected",
  "connected",
  "busy",
  "connected",
  "no_answer",
  "failed"
]
const reasons = { busy: "user_busy", no_answer: "no_answer", failed: "carrier_error" } as const

const connectedCall = (number: number, at: DateTime.Utc): Partial<Fact> => {
  const duration = 12 + (number * 13) % 240 + (number % 2) * 0.5
  const variables = {
    name: pick(["Asha", "Ravi", "मीना", "O'Brien"], number),
    city: pick(["Pune", "Chennai", "दिल्ली"], number),
    score: number % 6,
    vip: number % 7 === 0
  }
  const outputs = { promised: number % 3 === 0, amount: (number * 50) % 1000, note: number % 4 === 0 ? null : "ok" }
  return {
    start_datetime: DateTime.add(at, { seconds: 4 + number % 9 }),
    end_datetime: DateTime.add(at, { seconds: 4 + number % 9, millis: duration * 1000 }),
    duration,
    ring_seconds: 4 + number % 9,
    completion_status: (number >> 2) % 5 > 1 ? "completed" : "partial",
    connectivity_status: "connected",
    ended_by: pick(["AGENT_ENDS", "USER_ENDS", "TIMEOUT"], number),
    language_name: pick(["Hindi", "English", "Tamil", "Hindi"], number),
    user_turns: number % 8,
    agent_turns: number % 8 + 1,
    num_messages: (number % 8) * 2 + 1,
    average_agent_response_time_in_seconds: 0.25 + (number % 5) * 0.25,
    average_user_response_time_in_seconds: number % 6 === 0 ? null : 1 + (number % 4) * 0.5,
    cost_amount: number % 11 === 0 ? null : 0.25 * Math.ceil(duration / 60),
    cost_currency: number % 11 === 0 ? null : "INR",
    initial_agent_variables: variables,
    final_agent_variables: { ...variables, ...outputs },
    output_agent_variables: outputs
  }
}

const factNumber = (scope: Scope, number: number): NamedFact => {
  const at = DateTime.add(first, { minutes: number * 97, seconds: (number * 37) % 60 })
  const origin = pick(origins, number)
  const outcome = origin.direction === "inbound" ? "connected" : pick(outcomes, number)
  const missed = outcome === "connected" ? {} : {
    ...unansweredFact,
    connectivity_status: number % 53 === 0 ? null : outcome,
    failure_reason: number % 53 === 0 ? "unknown" : reasons[outcome],
    next_action_status: number % 2 === 0 ? "retry" as const : null,
    initial_agent_variables: { name: "Asha", city: "Pune", score: number % 6, vip: false }
  }
  const cohort = origin.cohort
  const fact = factOf(scope, number, {
    app_id: AppId.make(pick(["support", "collections", "survey"], number >> 1)),
    app_version: 1 + Math.floor(number / 150),
    deployment_id: origin.direction === "inbound" ? DeploymentId.make(`dep-${number % 2}`) : null,
    campaign_id: origin.campaign_id === null ? null : CampaignId.make(origin.campaign_id),
    cohort_id: cohort === null ? null : CohortId.make(`coh-${cohort.length}`),
    direction: origin.direction,
    user_identifier: `user-${(number * 7) % 61}`,
    user_contact_hashed: String((number * 7) % 61).padStart(64, "0"),
    retry_attempt: Math.floor(number / 61) % 4,
    is_debug_call: number % 37 === 0 ? 1 : 0,
    has_log_issues: number % 29 === 0 ? 1 : 0,
    scheduled_at: origin.direction === "inbound" ? null : DateTime.subtract(at, { seconds: number % 30 }),
    executed_at: at,
    metadata: number % 3 === 0 ? null : { batch: `b-${number % 4}`, tags: ["new", "vip", "test"].slice(0, number % 4) },
    ...(outcome === "connected" ? connectedCall(number, at) : missed)
  })
  return {
    ...fact,
    app_name: `The ${fact.app_id} agent`,
    campaign_name: origin.campaign_name,
    cohort_name: cohort
  }
}

/** Calls over three weeks from 5 January 2026, with every direction, outcome and language; deterministic per scope. */
export const callFacts = (scope: Scope, count = 320): ReadonlyArray<NamedFact> =>
  Array.from({ length: count }, (_, index) => factNumber(scope, index + 1))

/** Change that applies a fact. */
export const changeOf = (fact: NamedFact): FactChange => ({ attempt_id: fact.attempt_id, fact })

/** Batch that fills an empty warehouse with facts. */
export const changeBatchOf = (facts: ReadonlyArray<NamedFact>) => ({
  from: 0,
  to: facts.length,
  changes: facts.map(changeOf)
})
