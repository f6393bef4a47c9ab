import { InteractionId, Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"

/** One thing that was said, or that a tool answered (shapes 13). */
export const TranscriptMessage = Schema.Struct({
  role: Schema.Literal("agent", "user", "tool"),
  /** In English. */
  en_text: Schema.String,
  /** In the language it was said in, when that is not English. */
  indic_text: Schema.NullOr(Schema.String),
  language_name: Schema.NullOr(Schema.String),
  timestamp: Schema.NullOr(Timestamp)
})
export type TranscriptMessage = typeof TranscriptMessage.Type

/** The words of one conversation, in the order they were said. Kept apart from the record: lists never load it. */
export class Transcript extends Schema.Class<Transcript>("Transcript")({
  interaction_id: InteractionId,
  messages: Schema.Array(TranscriptMessage)
}) {}
