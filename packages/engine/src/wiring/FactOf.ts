import { maskPhone, trusted } from "@trunkline/kernel"
import { type Attempt, type AttemptResult, durationSeconds, type Interaction } from "@trunkline/telephony"
import { Fact } from "@trunkline/warehouse"
import { DateTime } from "effect"
import { endedBy } from "./CallOf.js"

/** What a call costs: an amount, and its currency by ISO 4217. */
export interface CallCost {
  readonly amount: number
  readonly currency: string
}

/** What the facts of a call are made with, beside the call itself. */
export interface FactContext {
  readonly user_contact_hashed: string
  readonly exposeUserContact: boolean
  readonly cost: CallCost | null
}

const moment = (at: number) => DateTime.unsafeMake(at)

const turns = (interaction: Interaction | null, role: "agent" | "user") =>
  interaction && interaction.transcript.filter((turn) => turn.role === role).length

const plus = (a: number | null, b: number | null) => a === null || b === null ? null : a + b

/** The time in a UUIDv7: its first 48 bits (RFC 9562, 5.7). */
const madeAt = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

/** An ended attempt as analysts see it (shapes 7.4). It was decided on when its id was made. */
export const factOf = (attempt: Attempt, result: AttemptResult, context: FactContext): Fact => {
  const { interaction } = result
  const scheduled = madeAt(attempt.attempt_id)
  const [user_turns, agent_turns] = [turns(interaction, "user"), turns(interaction, "agent")]
  return new Fact({
    attempt_id: attempt.attempt_id,
    interaction_id: interaction && interaction.interaction_id,
    app_id: attempt.app_id,
    app_version: attempt.app_version,
    deployment_id: attempt.deployment_id,
    campaign_id: attempt.campaign_id,
    cohort_id: attempt.cohort_id,
    user_identifier: attempt.user_identifier,
    user_phone_number: context.exposeUserContact ? attempt.user_phone_number : maskPhone(attempt.user_phone_number),
    user_contact_hashed: context.user_contact_hashed,
    agent_phone_number: attempt.agent_phone_number,
    direction: attempt.kind,
    channel_type: "v2v",
    channel_provider: attempt.channel_provider,
    channel_protocol: attempt.channel_protocol,
    completion_status: result.completion_status,
    connectivity_status: result.connectivity_status,
    next_action_status: result.next_action_status,
    failure_reason: result.failure_reason,
    ended_by: interaction && endedBy[interaction.ended_by],
    language_name: interaction && interaction.language_name,
    retry_attempt: attempt.retry_attempt,
    num_messages: plus(user_turns, agent_turns),
    user_turns,
    agent_turns,
    is_debug_call: 0,
    has_log_issues: 0,
    scheduled_at: Number.isNaN(scheduled) ? null : moment(scheduled),
    executed_at: moment(attempt.attempted_at),
    start_datetime: interaction && moment(interaction.started_at),
    end_datetime: interaction && moment(interaction.ended_at),
    duration: interaction && durationSeconds(interaction),
    ring_seconds: interaction && Math.max(0, interaction.started_at - attempt.attempted_at) / 1000,
    average_agent_response_time_in_seconds: interaction && interaction.average_agent_response_seconds,
    average_user_response_time_in_seconds: interaction && interaction.average_user_response_seconds,
    cost_amount: context.cost && context.cost.amount,
    cost_currency: context.cost && context.cost.currency,
    initial_agent_variables: attempt.agent_variables,
    final_agent_variables: interaction && interaction.final_agent_variables,
    output_agent_variables: interaction && interaction.output_agent_variables,
    metadata: attempt.webhook?.metadata ?? null
  }, trusted)
}
