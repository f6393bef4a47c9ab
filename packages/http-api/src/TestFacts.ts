import { AppId, AttemptId, InteractionId } from "@trunkline/kernel"
import { Fact } from "@trunkline/warehouse"
import { DateTime } from "effect"

const at = (seconds: number) => DateTime.add(DateTime.unsafeMake("2026-01-01T00:00:00Z"), { seconds })

/** The fact of a single outbound call that was answered, so many seconds into 2026, apart from the change. */
export const testFact = (seconds: number, change: Partial<Fact> = {}): Fact =>
  new Fact({
    attempt_id: AttemptId.make(`attempt-${seconds}`),
    interaction_id: InteractionId.make(`interaction-${seconds}`),
    app_id: AppId.make("collections"),
    app_version: 1,
    deployment_id: null,
    campaign_id: null,
    cohort_id: null,
    user_identifier: `customer-${seconds}`,
    user_phone_number: "******3210",
    user_contact_hashed: "5f".repeat(32),
    agent_phone_number: "+911140000001",
    direction: "outbound",
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
    scheduled_at: at(seconds),
    executed_at: at(seconds),
    start_datetime: at(seconds + 5),
    end_datetime: at(seconds + 65),
    duration: 60,
    ring_seconds: 5,
    average_agent_response_time_in_seconds: null,
    average_user_response_time_in_seconds: null,
    cost_amount: null,
    cost_currency: null,
    initial_agent_variables: {},
    final_agent_variables: {},
    output_agent_variables: {},
    metadata: null,
    ...change
  })
