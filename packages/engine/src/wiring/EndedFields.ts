import type { AfterCallResult } from "@trunkline/kernel"
import { type Attempt, type AttemptResult, durationSeconds } from "@trunkline/telephony"
import { DateTime } from "effect"

const noResults: AfterCallResult = { summary: null, output_variables: null, extraction: null }

/** Findings about a call after its end, with nulls for agents that want nothing to be found out. */
export const afterCallFieldsOf = (after: AfterCallResult | null): AfterCallResult => after ?? noResults

/**
 * The fields that call records, webhooks of campaigns and facts of boards have in common, by their names there. Those of the
 * conversation are null without one. `duration` is in seconds.
 */
export const endedFields = (attempt: Attempt, result: AttemptResult) => {
  const { interaction } = result
  return {
    attempt_id: attempt.attempt_id,
    app_id: attempt.app_id,
    app_version: attempt.app_version,
    campaign_id: attempt.campaign_id,
    cohort_id: attempt.cohort_id,
    deployment_id: attempt.deployment_id,
    user_identifier: attempt.user_identifier,
    user_phone_number: attempt.user_phone_number,
    agent_phone_number: attempt.agent_phone_number,
    retry_attempt: attempt.retry_attempt,
    completion_status: result.completion_status,
    connectivity_status: result.connectivity_status,
    next_action_status: result.next_action_status,
    failure_reason: result.failure_reason,
    opt_out: result.opt_out?.text ?? null,
    executed_at: DateTime.unsafeMake(attempt.attempted_at),
    start_datetime: interaction && DateTime.unsafeMake(interaction.started_at),
    end_datetime: interaction && DateTime.unsafeMake(interaction.ended_at),
    duration: interaction && durationSeconds(interaction),
    interaction_id: interaction && interaction.interaction_id,
    initial_agent_variables: attempt.agent_variables,
    final_agent_variables: interaction && interaction.final_agent_variables,
    output_agent_variables: interaction && interaction.output_agent_variables,
    metadata: attempt.webhook?.metadata ?? null
  }
}
