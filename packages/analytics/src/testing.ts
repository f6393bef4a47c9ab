export {
  attemptId,
  type CallChange,
  type CallPlace,
  callPlace,
  callRecord,
  interactionId,
  second,
  transcriptOf,
  unanswered
} from "./CallFixtures.js"
export { callRecordsLaws } from "./CallRecords.laws.js"
export { recordingsLaws } from "./Recordings.laws.js"
