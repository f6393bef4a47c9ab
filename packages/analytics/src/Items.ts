import { maskPhone, PhoneNumber, Timestamp, trusted } from "@trunkline/kernel"
import { Option, Schema } from "effect"
import { callFields, type CallRecord, Conversation, outcomeFields } from "./CallRecord.js"

/** What both lists show of every call. */
const shownFields = {
  ...callFields,
  /** All but the last four digits hidden: `******3210`. */
  user_contact_masked: Schema.String
}

/** One conversation, as the interactions list shows it (shapes 6.1). */
export class InteractionItem extends Schema.Class<InteractionItem>("InteractionItem")({
  ...shownFields,
  ...Conversation.fields
}) {}

const talk = Conversation.fields

/** One attempt, as the attempts list shows it: what belongs to a conversation is null without one (shapes 6.2). */
export class AttemptItem extends Schema.Class<AttemptItem>("AttemptItem")({
  ...shownFields,
  ...outcomeFields,
  attempted_at: Timestamp,
  /** The bare number; null unless the engine was told to expose it. */
  user_contact: Schema.NullOr(PhoneNumber),
  interaction_id: Schema.NullOr(talk.interaction_id),
  start_datetime: Schema.NullOr(talk.start_datetime),
  end_datetime: Schema.NullOr(talk.end_datetime),
  duration_in_seconds: Schema.NullOr(talk.duration_in_seconds),
  language_name: talk.language_name,
  num_messages: Schema.NullOr(talk.num_messages),
  average_agent_response_time_in_seconds: talk.average_agent_response_time_in_seconds,
  average_user_response_time_in_seconds: talk.average_user_response_time_in_seconds,
  audio_url: talk.audio_url,
  ended_by: talk.ended_by,
  agent_variables: Schema.NullOr(talk.agent_variables)
}) {}

const nothingSaid = {
  interaction_id: null,
  start_datetime: null,
  end_datetime: null,
  duration_in_seconds: null,
  language_name: null,
  num_messages: null,
  average_agent_response_time_in_seconds: null,
  average_user_response_time_in_seconds: null,
  audio_url: null,
  ended_by: null,
  agent_variables: null
}

/** What both lists show of a record; the rest of it is nobody else's. */
const shared = ({ conversation: _, org_id: _org, user_contact, workspace_id: _workspace, ...record }: CallRecord) => ({
  ...record,
  user_contact_masked: maskPhone(user_contact)
})

/** What the attempts list shows of a record. */
export const toAttemptItem = (record: CallRecord, options: { readonly exposeUserContact: boolean }): AttemptItem =>
  new AttemptItem({
    ...shared(record),
    ...(record.conversation ?? nothingSaid),
    user_contact: options.exposeUserContact ? record.user_contact : null
  }, trusted)

/** What the interactions list shows of a record; none when no conversation took place. */
export const toInteractionItem = (record: CallRecord): Option.Option<InteractionItem> =>
  Option.map(
    Option.fromNullable(record.conversation),
    (conversation) => new InteractionItem({ ...shared(record), ...conversation }, trusted)
  )
