import { afterCallFields, CostLedger, maskPhone, PhoneNumber, Timestamp, unchecked } from "@trunkline/kernel"
import { Option, Schema } from "effect"
import {
  callFields,
  type CallRecord,
  ConversationRecord,
  ModelInput,
  outcomeFields,
  recordFields,
  Transcript
} from "./CallRecord.js"
import type { StoredCall } from "./CallRecords.js"

/** Fields of both kinds of items. */
const itemFields = {
  ...callFields,
  /** Number with all but its last four digits masked: `******3210`. */
  user_contact_masked: Schema.String
}

/** A conversation in the interactions list. */
export class InteractionItem extends Schema.Class<InteractionItem>("InteractionItem")({
  ...itemFields,
  ...ConversationRecord.fields,
  ...afterCallFields
}) {}

const { fields } = ConversationRecord

/** An attempt in the attempts list; fields of the conversation are null without one. */
export class AttemptItem extends Schema.Class<AttemptItem>("AttemptItem")({
  ...itemFields,
  ...outcomeFields,
  attempted_at: Timestamp,
  /** Full number; null unless `exposeUserContact` is set. */
  user_contact: Schema.NullOr(PhoneNumber),
  interaction_id: Schema.NullOr(fields.interaction_id),
  start_datetime: Schema.NullOr(fields.start_datetime),
  end_datetime: Schema.NullOr(fields.end_datetime),
  duration_in_seconds: Schema.NullOr(fields.duration_in_seconds),
  ...recordFields,
  num_messages: Schema.NullOr(fields.num_messages),
  average_agent_response_time_in_seconds: fields.average_agent_response_time_in_seconds,
  average_user_response_time_in_seconds: fields.average_user_response_time_in_seconds,
  audio_url: fields.audio_url,
  recording: fields.recording,
  ended_by: fields.ended_by,
  agent_variables: Schema.NullOr(fields.agent_variables),
  ...afterCallFields
}) {}

/** An attempt by itself: its item in the list, the transcript of its conversation, null without one, its model inputs and its costs. */
export class AttemptDetail extends Schema.Class<AttemptDetail>("AttemptDetail")({
  ...AttemptItem.fields,
  transcript: Schema.NullOr(Transcript),
  /** Requests to the model, in order; empty where there were none, or where they are not kept. */
  model_inputs: Schema.Array(ModelInput),
  /** Costs of the call, by provider and unit; null where it is not known, as of calls of earlier versions. */
  costs: Schema.NullOr(CostLedger)
}) {}

const noConversation = {
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

const noResults = { summary: null, output_variables: null, extraction: null }

/** Fields of a record for both kinds of items, without internal ones. */
const itemFieldsOf = (
  { after_call, conversation: _, costs: _costs, org_id: _org, user_contact, workspace_id: _workspace, ...record }:
    CallRecord
) => ({
  ...record,
  ...after_call ?? noResults,
  user_contact_masked: maskPhone(user_contact)
})

/** Converts a record to an item of the attempts list. */
export const toAttemptItem = (record: CallRecord, options: { readonly exposeUserContact: boolean }): AttemptItem =>
  new AttemptItem({
    ...itemFieldsOf(record),
    ...(record.conversation ?? noConversation),
    user_contact: options.exposeUserContact ? record.user_contact : null
  }, unchecked)

/** Converts a stored call to an attempt by itself. */
export const toAttemptDetail = (
  { modelInputs = [], record, transcript }: StoredCall,
  options: { readonly exposeUserContact: boolean }
): AttemptDetail =>
  new AttemptDetail({
    ...toAttemptItem(record, options),
    transcript,
    model_inputs: modelInputs,
    costs: record.costs ?? null
  }, unchecked)

/** Converts a record to an item of the interactions list; none without a conversation. */
export const toInteractionItem = (record: CallRecord): Option.Option<InteractionItem> =>
  Option.map(
    Option.fromNullable(record.conversation),
    (conversation) => new InteractionItem({ ...itemFieldsOf(record), ...conversation }, unchecked)
  )
