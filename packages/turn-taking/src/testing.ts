export { type AudibleCall, type AudibleTurn } from "./testing/AudibleCall.js"
export { assertGaps, assertHeard, type AssertHeardOptions, assertTurns } from "./testing/CallAssertions.js"
export {
  type AudibleCallOptions,
  type CallerAction,
  type CallerLine,
  type CallerMoment,
  type CallerMoments,
  runAudibleCall
} from "./testing/ScriptedCaller.js"
