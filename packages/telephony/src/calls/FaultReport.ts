import type { Attempt } from "../call/Attempt.js"
import type { CallFault, CallReport } from "../call/CallHandler.js"

/** The report of a conversation that failed on our side. */
export const faultReport = (
  attempt: Attempt,
  { model_inputs, reason }: Pick<CallFault, "model_inputs" | "reason">
): CallReport => ({
  agent_done: false,
  ended_by: "agent",
  language_name: null,
  transcript: [],
  final_agent_variables: attempt.agent_variables,
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault: reason,
  ...(model_inputs !== undefined && { model_inputs })
})
