import { Schema } from "effect"

/** The status of an item. An `incomplete` item was cut short, and is the last one. */
export const ItemStatus = Schema.Literal("in_progress", "completed", "incomplete")
export type ItemStatus = typeof ItemStatus.Type

const Id = Schema.String.annotations({
  description: "`rs_`, `msg_` or `fc_`, the response's id and the item's index in the output"
})

/** Text of the model. */
const OutputText = Schema.Struct({
  type: Schema.Literal("output_text"),
  text: Schema.String,
  annotations: Schema.Tuple().annotations({ description: "Always empty" }),
  logprobs: Schema.Tuple().annotations({ description: "Always empty" })
})

/** The model's explanation of why it refused. */
const OutputRefusal = Schema.Struct({ type: Schema.Literal("refusal"), refusal: Schema.String })

/** A part of a message. */
export const OutputPart = Schema.Union(OutputText, OutputRefusal)
export type OutputPart = typeof OutputPart.Type

/** A part of the model's reasoning. */
export const SummaryText = Schema.Struct({ type: Schema.Literal("summary_text"), text: Schema.String })

/** The model's reasoning before the items that follow; its text is `summary[0].text`. */
const ReasoningItem = Schema.Struct({
  type: Schema.Literal("reasoning"),
  id: Id,
  status: ItemStatus,
  summary: Schema.Array(SummaryText)
})

/** A message of the model. */
const MessageItem = Schema.Struct({
  type: Schema.Literal("message"),
  id: Id,
  status: ItemStatus,
  role: Schema.Literal("assistant"),
  content: Schema.Array(OutputPart)
})

/** A tool call that the client should carry out. */
const FunctionCallItem = Schema.Struct({
  type: Schema.Literal("function_call"),
  id: Id,
  status: ItemStatus,
  call_id: Schema.String.annotations({ description: "The id under which the client sends back the result" }),
  name: Schema.String,
  arguments: Schema.String.annotations({ description: "JSON text, as the model wrote it; `{}` when it wrote none" })
})

/** An item of a response's output. */
export const OutputItem = Schema.Union(ReasoningItem, MessageItem, FunctionCallItem)
export type OutputItem = typeof OutputItem.Type
