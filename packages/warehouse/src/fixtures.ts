import { AppId, AttemptId, CampaignId, CohortId, InteractionId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime } from "effect"
import { Fact } from "./facts/Fact.js"

/** A scope for one test. */
export const factScope = (name: string): Scope =>
  new Scope({ org_id: OrgId.make(`org-${name}`), workspace_id: WorkspaceId.make("main") })

/** A time on 1 January 2026, in seconds after midnight UTC. */
export const factMoment = (seconds: number): DateTime.Utc =>
  DateTime.add(DateTime.unsafeMake("2026-01-01T00:00:00Z"), { seconds })

/** A connected campaign call, dialled `number` seconds after midnight UTC, with changes. */
export const factOf = (scope: Scope, number: number, change: Partial<Fact> = {}): Fact =>
  new Fact({
    attempt_id: AttemptId.make(`${scope.org_id}-${String(number).padStart(6, "0")}`),
    interaction_id: InteractionId.make(`20260101-${scope.org_id}-${number}`),
    app_id: AppId.make("support"),
    app_version: 1,
    deployment_id: null,
    campaign_id: CampaignId.make("camp-a1b2c3d4e5f6"),
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    user_identifier: `user-${number}`,
    user_phone_number: "******3210",
    user_contact_hashed: "5f".repeat(32),
    agent_phone_number: "+911140000001",
    direction: "campaign",
    channel_type: "v2v",
    channel_provider: "simulator",
    channel_protocol: "simulated",
    completion_status: "completed",
    connectivity_status: "connected",
    next_action_status: null,
    failure_reason: null,
    ended_by: "AGENT_ENDS",
    language_name: "Hindi",
    retry_attempt: 0,
    num_messages: 4,
    user_turns: 2,
    agent_turns: 2,
    is_debug_call: 0,
    has_log_issues: 0,
    scheduled_at: factMoment(number - 1),
    executed_at: factMoment(number),
    start_datetime: factMoment(number + 5),
    end_datetime: factMoment(number + 65),
    duration: 60,
    ring_seconds: 5,
    average_agent_response_time_in_seconds: 0.75,
    average_user_response_time_in_seconds: null,
    cost_amount: null,
    cost_currency: null,
    initial_agent_variables: { name: "Asha" },
    final_agent_variables: { name: "Asha", promised: true },
    output_agent_variables: { promised: true },
    metadata: null,
    ...change
  })

/** Fields that differ in an unanswered call. */
export const unansweredFact: Partial<Fact> = {
  interaction_id: null,
  completion_status: "failed",
  connectivity_status: "no_answer",
  next_action_status: "retry",
  ended_by: null,
  language_name: null,
  num_messages: null,
  user_turns: null,
  agent_turns: null,
  start_datetime: null,
  end_datetime: null,
  duration: null,
  ring_seconds: null,
  average_agent_response_time_in_seconds: null,
  final_agent_variables: null,
  output_agent_variables: null
}
