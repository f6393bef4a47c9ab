import { Schema } from "effect"

/** How far an item is. `incomplete`: it was cut short, and is the last one. */
export const ItemStatus = Schema.Literal("in_progress", "completed", "incomplete")
export type ItemStatus = typeof ItemStatus.Type

const Id = Schema.String.annotations({
  description: "`rs_`, `msg_` or `fc_`, the response's id and the item's place in the output"
})

/** Words of the model. */
export const OutputText = Schema.Struct({
  type: Schema.Literal("output_text"),
  text: Schema.String,
  annotations: Schema.Tuple().annotations({ description: "Always empty" }),
  logprobs: Schema.Tuple().annotations({ description: "Always empty" })
})

/** Why the model will not answer, in its words. */
export const OutputRefusal = Schema.Struct({ type: Schema.Literal("refusal"), refusal: Schema.String })

/** A piece of a message. */
export const OutputPart = Schema.Union(OutputText, OutputRefusal)
export type OutputPart = typeof OutputPart.Type

/** What the model had thought. */
export const SummaryText = Schema.Struct({ type: Schema.Literal("summary_text"), text: Schema.String })
export type SummaryText = typeof SummaryText.Type

/** What the model thought before it did what comes next; its text is at `summary[0].text`. */
export const ReasoningItem = Schema.Struct({
  type: Schema.Literal("reasoning"),
  id: Id,
  status: ItemStatus,
  summary: Schema.Array(SummaryText)
})
export type ReasoningItem = typeof ReasoningItem.Type

/** What the model says. */
export const MessageItem = Schema.Struct({
  type: Schema.Literal("message"),
  id: Id,
  status: ItemStatus,
  role: Schema.Literal("assistant"),
  content: Schema.Array(OutputPart)
})
export type MessageItem = typeof MessageItem.Type

/** A tool that the model wants carried out. */
export const FunctionCallItem = Schema.Struct({
  type: Schema.Literal("function_call"),
  id: Id,
  status: ItemStatus,
  call_id: Schema.String.annotations({ description: "What the tool's result is sent back under" }),
  name: Schema.String,
  arguments: Schema.String.annotations({ description: "JSON text, as the model wrote it; `{}` where it wrote none" })
})
export type FunctionCallItem = typeof FunctionCallItem.Type

/** One thing that the model put out (specification, Responses: output; shapes 9.4). */
export const OutputItem = Schema.Union(ReasoningItem, MessageItem, FunctionCallItem)
export type OutputItem = typeof OutputItem.Type
