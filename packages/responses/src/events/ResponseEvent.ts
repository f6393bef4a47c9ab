import { Schema } from "effect"
import { OutputItem, OutputPart, SummaryText } from "../resource/OutputItem.js"
import { ResponseError, ResponseResource } from "../resource/ResponseResource.js"

const event = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({
    type: Schema.Literal(type),
    sequence_number: Schema.Int.annotations({ description: "From 0, one more with every event" }),
    ...fields
  })

const inItem = { item_id: Schema.String, output_index: Schema.Int }
const inContent = { ...inItem, content_index: Schema.Int }
const inSummary = { ...inItem, summary_index: Schema.Int }

const whole = { response: ResponseResource }
const item = { output_index: Schema.Int, item: OutputItem }
const part = { ...inContent, part: OutputPart }
const summary = { ...inSummary, part: SummaryText }
const delta = { delta: Schema.String }
const noLogprobs = { logprobs: Schema.Tuple() }

/** An event that adds text. */
export const DeltaEvent = Schema.Union(
  event("response.output_text.delta", { ...inContent, ...delta, ...noLogprobs }),
  event("response.refusal.delta", { ...inContent, ...delta }),
  event("response.reasoning_summary_text.delta", { ...inSummary, ...delta }),
  event("response.function_call_arguments.delta", { ...inItem, ...delta })
)
export type DeltaEvent = typeof DeltaEvent.Type

/**
 * An event that carries the whole response. The last three end a stream. A failure also has its error next to the
 * response: OpenAI's clients, and libraries built on them, throw events that have an error, and would otherwise take the
 * response for a complete one.
 */
export const ResourceEvent = Schema.Union(
  event("response.created", whole),
  event("response.in_progress", whole),
  event("response.completed", whole),
  event("response.incomplete", whole),
  event("response.failed", { ...whole, error: ResponseError })
)
export type ResourceEvent = typeof ResourceEvent.Type

/** An event that begins or ends an item, a part or a text. */
export const StepEvent = Schema.Union(
  event("response.output_item.added", item),
  event("response.content_part.added", part),
  event("response.output_text.done", { ...inContent, text: Schema.String, ...noLogprobs }),
  event("response.refusal.done", { ...inContent, refusal: Schema.String }),
  event("response.content_part.done", part),
  event("response.reasoning_summary_part.added", summary),
  event("response.reasoning_summary_text.done", { ...inSummary, text: Schema.String }),
  event("response.reasoning_summary_part.done", summary),
  event("response.function_call_arguments.done", { ...inItem, name: Schema.String, arguments: Schema.String }),
  event("response.output_item.done", item)
)
export type StepEvent = typeof StepEvent.Type

/**
 * The data of a stream event; the event is named after its `type`. A stream begins with `response.created` and
 * `response.in_progress`. Items follow one after the other, each added, written and done. The last event is
 * `response.completed`, `response.incomplete` or `response.failed`.
 */
export const ResponseEvent = Schema.Union(
  ...ResourceEvent.members,
  ...StepEvent.members,
  ...DeltaEvent.members
).annotations({
  identifier: "ResponseEvent"
})
export type ResponseEvent = typeof ResponseEvent.Type
