export { callEvaluationLaws } from "./testing/CallEvaluations.laws.js"
export {
  atSecond,
  attemptId,
  type CallChange,
  type CallPlace,
  callRecord,
  interactionId,
  modelInputsOf,
  testPlace,
  transcriptOf,
  unanswered
} from "./testing/CallFixtures.js"
export { callRecordsLaws } from "./testing/CallRecords.laws.js"
export { recordingsLaws } from "./testing/Recordings.laws.js"
