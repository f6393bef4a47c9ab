import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  ConnectionId,
  InteractionId,
  OrgId,
  PhoneNumber,
  WorkspaceId
} from "@trunkline/kernel"
import { Attempt, type AttemptResult } from "../call/Attempt.js"

/** A pending campaign attempt with a value in every field, with overrides. */
export const attempt = (id: string, change: Partial<Attempt> = {}) =>
  new Attempt({
    attempt_id: AttemptId.make(id),
    org_id: OrgId.make("acme"),
    workspace_id: WorkspaceId.make("main"),
    kind: "campaign",
    app_id: AppId.make("support"),
    app_version: 2,
    campaign_id: CampaignId.make("camp-a1b2c3d4e5f6"),
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    deployment_id: null,
    connection_id: ConnectionId.make("sim-1"),
    channel_provider: "simulator",
    channel_protocol: "simulated",
    user_identifier: "O'Neil \"the\" \\ back हिन्दी",
    user_phone_number: PhoneNumber.make("+919876543210"),
    agent_phone_number: PhoneNumber.make("+911140000001"),
    retry_attempt: 1,
    agent_variables: { name: "Asha", due: 42.5, paid: false, note: null, "odd \"key\", é": "" },
    app_overrides: { initial_language_name: "Hindi" },
    webhook: { url: "https://a.example/hook", metadata: { nested: { list: [1, null, "x"] } }, secret: "s" },
    attempted_at: 1_767_225_600_000,
    state: "pending",
    provider_call_id: null,
    result: null,
    ...change
  })

/** Result of a completed conversation. */
export const talked: AttemptResult = {
  completion_status: "completed",
  connectivity_status: "connected",
  next_action_status: null,
  failure_reason: null,
  interaction: {
    interaction_id: InteractionId.make("20260101-019a0000-0000-7000-8000-000000000001"),
    started_at: 1_767_225_605_000,
    ended_at: 1_767_225_665_000,
    ended_by: "agent",
    language_name: "Hindi",
    transcript: [
      { role: "agent", en_text: "Hello.", indic_text: "नमस्ते।", language_name: "Hindi", at: 1_767_225_606_000 },
      {
        role: "tool",
        en_text: "12",
        indic_text: null,
        language_name: null,
        at: 1_767_225_607_000,
        tool_name: "balance",
        tool_arguments: "{\"account\":\"A \\\"1\\\"\"}"
      }
    ],
    final_agent_variables: { name: "Asha", paid: true },
    output_agent_variables: { paid: true },
    average_agent_response_seconds: 0.75,
    average_user_response_seconds: null
  },
  finished_at: 1_767_225_666_000
}

export const unanswered: AttemptResult = {
  ...talked,
  completion_status: "failed",
  connectivity_status: "no_answer",
  next_action_status: "retry",
  interaction: null
}
