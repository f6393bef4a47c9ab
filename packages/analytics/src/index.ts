export {
  AnalyticsOptions,
  CallAnalytics,
  type EndedCall,
  hashContact,
  KnownAgents,
  type ReportedCall
} from "./CallAnalytics.js"
export { CallQuery, InteractionQuery } from "./CallQuery.js"
export {
  CallRecord,
  ConversationRecord,
  EndedBy,
  Flag,
  ModelInput,
  Transcript,
  TranscriptMessage
} from "./CallRecord.js"
export { CallRecords, type CallReference, type StoredCall } from "./CallRecords.js"
export { type CallKind, type CallSearch, type ListResult, momentField, sortField } from "./CallSearch.js"
export { type Field, type FieldName, fieldNames, fields, isFieldName, variableName } from "./Fields.js"
export { FilterCondition, FilterConditions, matches, maxConditions } from "./FilterConditions.js"
export {
  AttemptDetail,
  AttemptItem,
  InteractionItem,
  toAttemptDetail,
  toAttemptItem,
  toInteractionItem
} from "./Items.js"
export { type RecordedRange, type Recording, RecordingLocked, Recordings } from "./Recordings.js"
