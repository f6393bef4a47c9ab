import type { OutputVariable } from "@trunkline/agents"
import type { AfterCallResult, Extraction } from "@trunkline/kernel"
import type { Interaction } from "@trunkline/telephony"
import { mergeOutputs } from "../ask/Outputs.js"
import type { AnswerFindings } from "../ask/ReadAnswer.js"
import type { AskTally } from "../jobs/AfterCallJob.js"

/** Outcome of a job, before it is stored. */
export type JobOutcome =
  | { readonly status: "done"; readonly answer: AnswerFindings }
  | { readonly status: "failed" | "skipped"; readonly reason: string }

/** An answer where nothing was asked. */
export const noAnswer: AnswerFindings = { summary: null, variables: {} }

const usageOf = ({ input_tokens, output_tokens }: AskTally): Extraction["usage"] =>
  input_tokens === null && output_tokens === null
    ? null
    : { input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 }

/** The result of a job as records and webhooks have it. */
export const resultOf = (
  { interaction, outcome, outputs }: {
    readonly interaction: Interaction
    readonly outputs: ReadonlyArray<OutputVariable>
    readonly outcome: JobOutcome
  },
  { asked, duration_seconds, model }: {
    readonly asked: AskTally
    readonly model: string
    readonly duration_seconds: number
  }
): AfterCallResult => {
  const { summary, variables: findings } = outcome.status === "done" ? outcome.answer : noAnswer
  const { output_variables, variables } = mergeOutputs(outputs, {
    call: interaction.output_agent_variables,
    model: findings
  })
  return {
    summary,
    output_variables,
    extraction: {
      status: outcome.status,
      reason: outcome.status === "done" ? null : outcome.reason,
      model: asked.tries === 0 ? null : model,
      tries: asked.tries,
      duration_seconds,
      usage: usageOf(asked),
      variables
    }
  }
}
