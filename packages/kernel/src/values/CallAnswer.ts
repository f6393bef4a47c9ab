import { Schema } from "effect"

/**
 * Party that answered a call: a `person`, a `machine` that takes messages, a `screening` service that asks who calls, the menu
 * of an `ivr`, a `fax`, the `network` with a tone by which calls fail, or `silence`.
 */
export const AnsweredBy = Schema.Literal("person", "machine", "screening", "ivr", "fax", "network", "silence")
export type AnsweredBy = typeof AnsweredBy.Type

/**
 * Evidence of a verdict: the `carrier` told it; the `words` of the greeting; its `rhythm`, such as speech without a pause; a `tone`;
 * or the `silence` after the answer.
 */
export const AnswerEvidence = Schema.Literal("carrier", "words", "rhythm", "tone", "silence")
export type AnswerEvidence = typeof AnswerEvidence.Type

/** Party that answered a call, and how that was found. */
export const AnswerVerdict = Schema.Struct({
  answered_by: AnsweredBy,
  evidence: AnswerEvidence,
  /** Milliseconds from the answer to the verdict. */
  decided_ms: Schema.NonNegative,
  /** Words that had been heard until then, at most 200 characters; null without any. */
  words: Schema.NullOr(Schema.String)
})
export type AnswerVerdict = typeof AnswerVerdict.Type

/**
 * Consequence of a verdict: `none`, since the agent went on; `hung_up`; `message_left` on a machine; or `announced`, where a
 * screening service was told who calls before the agent went on.
 */
export const AnswerAction = Schema.Literal("none", "hung_up", "message_left", "announced")
export type AnswerAction = typeof AnswerAction.Type

/** The verdict on the answer of a call, and what was done. */
export const CallAnswer = Schema.Struct({ ...AnswerVerdict.fields, action: AnswerAction })
export type CallAnswer = typeof CallAnswer.Type
