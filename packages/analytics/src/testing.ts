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
} from "./CallFixtures.js"
export { callRecordsLaws } from "./CallRecords.laws.js"
export { recordingsLaws } from "./Recordings.laws.js"
