export { assertGaps, assertHeard, type AssertHeardOptions, assertTurns } from "./testing/CallAssertions.js"
export {
  type AudibleCall,
  type AudibleCallOptions,
  type AudibleTurn,
  type CallerAction,
  type CallerLine,
  type CallerMoment,
  type CallerMoments,
  runAudibleCall
} from "./testing/ScriptedCaller.js"
