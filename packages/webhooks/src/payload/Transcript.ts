import { Schema } from "effect"

/** One turn of a conversation as webhooks tell it. */
export const TranscriptTurn = Schema.Struct({
  role: Schema.Literal("agent", "user"),
  /** What was said, in English. */
  en_text: Schema.String,
  /** What was said, in the language it was said in (shapes 10.2). */
  indic_text: Schema.optional(Schema.NullOr(Schema.String))
})
export type TranscriptTurn = typeof TranscriptTurn.Type

/** The turns in order; null when there was no conversation, or its text is too long for a webhook. */
export const InteractionTranscript = Schema.NullOr(Schema.Array(TranscriptTurn))
