import { AttemptId } from "@trunkline/kernel"
import { Schema } from "effect"

/** What a provider tells of a call: it rings, somebody picked up, it is over. */
export const CallNews = Schema.Union(
  Schema.TaggedStruct("Ringing", {}),
  Schema.TaggedStruct("Answered", {}),
  Schema.TaggedStruct("Ended", {
    /** Why nobody was reached; null when somebody was, or when the provider does not say. */
    status: Schema.NullOr(Schema.Literal("busy", "no_answer", "failed", "provider_error")),
    /** Fit for `failure_reason`; never a number. */
    reason: Schema.NullOr(Schema.String)
  })
)
export type CallNews = typeof CallNews.Type

/** Something that a provider told of a call, whenever it did and however often. */
export const CallEvent = Schema.Struct({
  /** The provider's own id of this event: the same each time it is told. */
  event_id: Schema.NonEmptyString,
  provider_call_id: Schema.NonEmptyString,
  /** Whose call it is, where the provider carries that along. */
  attempt_id: Schema.NullOr(AttemptId),
  news: CallNews
})
export type CallEvent = typeof CallEvent.Type
