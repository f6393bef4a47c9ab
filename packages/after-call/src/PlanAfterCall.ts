import type { AgentVersion } from "@trunkline/agents"
import { type AfterCallResult, type Extraction, Scope, unchecked } from "@trunkline/kernel"
import type { Attempt, AttemptResult, Interaction } from "@trunkline/telephony"
import { mergeOutputs } from "./ask/Outputs.js"
import { type AfterCallJob, noAsks } from "./jobs/AfterCallJob.js"

/** Knowledge about a call when it ends, and the work that is left; null when there is none. */
export interface AfterCallPlan {
  readonly result: AfterCallResult
  readonly job: AfterCallJob | null
}

/** The result with what the call itself has set. */
const resultOfCall = (
  { output_variables: outputs }: Pick<AgentVersion, "output_variables">,
  interaction: Interaction | null,
  extraction: Pick<Extraction, "status" | "reason">
): AfterCallResult => {
  const { output_variables, variables } = mergeOutputs(outputs, {
    call: interaction?.output_agent_variables ?? {},
    model: {}
  })
  return {
    summary: null,
    output_variables,
    extraction: { ...extraction, model: null, tries: 0, duration_seconds: null, usage: null, variables }
  }
}

const hasWords = ({ transcript }: Interaction): boolean =>
  transcript.some(({ en_text, role }) => role === "user" && en_text.trim() !== "")

/**
 * Plans the work on an ended call. Without words of the caller there is nothing to find out, so it is skipped. Null of agents that
 * want nothing. `now` is real time in milliseconds since 1970.
 */
export const planAfterCall = (
  version: AgentVersion,
  { attempt_id, org_id, workspace_id }: Attempt,
  { interaction }: AttemptResult,
  now: number
): AfterCallPlan | null => {
  if (version.after_call === undefined) return null
  const skip = (reason: string) => ({
    result: resultOfCall(version, interaction, { status: "skipped", reason }),
    job: null
  })
  if (interaction === null) return skip("There was no conversation")
  if (!hasWords(interaction)) return skip("The caller said nothing")
  return {
    result: resultOfCall(version, interaction, { status: "pending", reason: null }),
    job: {
      attempt_id,
      scope: new Scope({ org_id, workspace_id }, unchecked),
      created_at: now,
      due_at: now,
      runs: 0,
      asked: noAsks
    }
  }
}
