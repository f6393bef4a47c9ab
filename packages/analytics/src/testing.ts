export {
  atSecond,
  attemptId,
  type CallChange,
  type CallPlace,
  callRecord,
  interactionId,
  testPlace,
  transcriptOf,
  unanswered
} from "./testing/CallFixtures.js"
export { callRecordsLaws } from "./testing/CallRecords.laws.js"
export { recordingsLaws } from "./testing/Recordings.laws.js"
