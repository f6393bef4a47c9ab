import { AgentCatalog, type AgentVersion, summaryOf } from "@trunkline/agents"
import { conversationModel } from "@trunkline/models"
import { type Attempt, type AttemptResult, AttemptStore, type Interaction } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { missingOutputs } from "../ask/Outputs.js"
import type { AfterCallQuestion } from "../ask/Question.js"
import type { AfterCallJob } from "../jobs/AfterCallJob.js"

/** An ended call with a conversation, and the version of its agent; null when there is no such version any more. */
export interface Subject {
  readonly attempt: Attempt
  readonly result: AttemptResult
  readonly interaction: Interaction
  readonly version: AgentVersion | null
}

/** Makes a function that finds the call of a job; none when it was removed. */
export const makeFindSubject = Effect.gen(function*() {
  const attempts = yield* AttemptStore
  const agents = yield* AgentCatalog
  return ({ attempt_id, scope }: AfterCallJob) =>
    Effect.gen(function*() {
      const attempt = (yield* attempts.findMany([attempt_id])).get(attempt_id)
      const result = attempt?.result ?? null
      if (attempt === undefined || result === null || result.interaction === null) return Option.none<Subject>()
      const version = yield* agents.version(scope, attempt.app_id, attempt.app_version)
      return Option.some<Subject>({
        attempt,
        result,
        interaction: result.interaction,
        version: Option.getOrNull(version)
      })
    })
})

/** The question about a call; a sentence when there is none to ask, and null when nothing is missing. */
export const questionOf = ({ interaction, version }: Subject, tenant: string): AfterCallQuestion | string | null => {
  if (version === null) return "There is no such version of the agent any more"
  if (version.after_call === undefined) return "The agent asks for nothing after calls any more"
  if (interaction.transcript.length === 0) return "The transcript was erased"
  const { after_call } = version
  const summary = summaryOf(after_call)
  const outputs = after_call.extract
    ? missingOutputs(version.output_variables, interaction.output_agent_variables)
    : []
  const model = after_call.model ?? version.model ?? conversationModel
  return summary === null && outputs.length === 0 ? null : { model, interaction, summary, outputs, tenant }
}
