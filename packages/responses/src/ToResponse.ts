import { type Failure, internalModelError, responsesEnvelope } from "@trunkline/errors"
import { type AnswerSet, type Completion, emptyCompletion, type FinishReason, type Usage } from "@trunkline/models"
import { Cause, Option } from "effect"
import { type AnswerDelta, makeOutput, silentListener } from "./output/Output.js"
import type { ResponseRequest } from "./reading/ReadBody.js"
import type { Outcome, ResponseError, ResponseResource, ResponseUsage } from "./resource/ResponseResource.js"

/** The fields of a response that depend on its status. */
export type ResponseState = Omit<Outcome, "id" | "object" | "created_at" | "output">

/** The state of a response that has only begun. */
export const inProgress: ResponseState = {
  status: "in_progress",
  completed_at: null,
  incomplete_details: null,
  error: null,
  usage: null
}

const toResponseUsage = ({ cachedTokens, inputTokens, outputTokens, reasoningTokens }: Usage): ResponseUsage => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: cachedTokens },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: inputTokens + outputTokens
})

/** The finish reason and the token usage of a model that has finished. */
export interface FinishedAnswer {
  readonly finish: FinishReason
  readonly usage: Usage
}

/**
 * The reason why a response is incomplete; null when it is complete. A response that used all of its
 * `max_output_tokens` counts as incomplete, whatever finish reason the model reports.
 */
const incompleteReason = ({ finish, usage }: FinishedAnswer, maxOutputTokens: number | null) =>
  finish === "content_filter"
    ? finish
    : finish === "length" || (maxOutputTokens !== null && usage.outputTokens >= maxOutputTokens)
    ? "max_output_tokens"
    : null

/** The state of a response whose model finished `at` a time in Unix seconds. */
export const finishedState = (
  answer: FinishedAnswer,
  { at, maxOutputTokens }: { readonly at: number; readonly maxOutputTokens: number | null }
): ResponseState => {
  const reason = incompleteReason(answer, maxOutputTokens)
  const usage = toResponseUsage(answer.usage)
  return reason === null
    ? { ...inProgress, status: "completed", completed_at: at, usage }
    : { ...inProgress, status: "incomplete", incomplete_details: { reason }, usage }
}

/** The error of a failure. A defect becomes an internal error without details. */
const toResponseError = (cause: Cause.Cause<Failure>, requestId: string): ResponseError =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => internalModelError(requestId),
    onSome: (failure) => responsesEnvelope(failure, requestId).body.error
  })

/** The state of a failed response. */
export const failedState = (cause: Cause.Cause<Failure>, requestId: string): ResponseState => ({
  ...inProgress,
  status: "failed",
  error: toResponseError(cause, requestId)
})

/** The deltas of a whole answer, in the order in which models write: reasoning, text, tool calls. */
const toDeltas = ({ finish, reasoning, refusal, text, toolRequests }: Completion): ReadonlyArray<AnswerDelta> => [
  { _tag: "Reasoning", text: reasoning },
  { _tag: "Refusal", text: refusal ?? "" },
  { _tag: "Text", text },
  ...toolRequests.flatMap(({ arguments: text, id, name }, index) =>
    [{ _tag: "ToolStart", index, id, name }, { _tag: "ToolArgs", index, text }] as const
  ),
  { _tag: "Finish", reason: finish }
]

/** Converts a whole answer, which was complete `at` a time in Unix seconds, to a response. */
export const toResponse = (
  { createdAt, echo, reasoning }: ResponseRequest,
  { choices: [completion = emptyCompletion], usage }: AnswerSet,
  { at, requestId }: { readonly at: number; readonly requestId: string }
): ResponseResource => {
  const output = makeOutput({ reasoning, responseId: requestId }, silentListener)
  for (const delta of toDeltas(completion)) output.push(delta)
  return {
    id: requestId,
    object: "response",
    created_at: createdAt,
    ...finishedState({ finish: completion.finish, usage }, { at, maxOutputTokens: echo.max_output_tokens }),
    output: output.items(),
    ...echo
  }
}
