import { type Failure, internalModelError, responsesEnvelope } from "@trunkline/errors"
import type { FinishReason, Usage } from "@trunkline/models"
import { Cause, Option } from "effect"
import type { Outcome, ResponseError, ResponseUsage } from "./ResponseResource.js"

/** How far a response is, or how it ended. */
export type Ending = Omit<Outcome, "id" | "object" | "created_at" | "output">

/** A response of which nothing is there. */
export const begun: Ending = {
  status: "in_progress",
  completed_at: null,
  incomplete_details: null,
  error: null,
  usage: null
}

const usageShown = ({ cachedTokens, inputTokens, outputTokens, reasoningTokens }: Usage): ResponseUsage => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: cachedTokens },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: inputTokens + outputTokens
})

/** What a model came to. */
export interface Finished {
  readonly finish: FinishReason
  readonly usage: Usage
}

/**
 * Why an answer is not whole; null when it is. One that took all that its request allowed is not, whatever its model
 * says (specification, Responses object status).
 */
const lack = ({ finish, usage }: Finished, most: number | null) =>
  finish === "content_filter"
    ? finish
    : finish === "length" || (most !== null && usage.outputTokens >= most)
    ? "max_output_tokens"
    : null

/** The end of a response that its model finished at a moment in Unix seconds. `most` is what the request allowed. */
export const ended = (
  finished: Finished,
  { at, most }: { readonly at: number; readonly most: number | null }
): Ending => {
  const reason = lack(finished, most)
  const usage = usageShown(finished.usage)
  return reason === null
    ? { ...begun, status: "completed", completed_at: at, usage }
    : { ...begun, status: "incomplete", incomplete_details: { reason }, usage }
}

/** What a caller is told of a failure; of what should not have happened only that it did. */
const errorOf = (cause: Cause.Cause<Failure>, requestId: string): ResponseError =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => internalModelError(requestId),
    onSome: (failure) => responsesEnvelope(failure, requestId).body.error
  })

/** The end of a response that failed. */
export const failed = (cause: Cause.Cause<Failure>, requestId: string): Ending => ({
  ...begun,
  status: "failed",
  error: errorOf(cause, requestId)
})
