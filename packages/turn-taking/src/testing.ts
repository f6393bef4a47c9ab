export { type AudibleCall, type AudibleTurn } from "./testing/AudibleCall.js"
export { assertGaps, assertHeard, type AssertHeardOptions, assertTurns } from "./testing/CallAssertions.js"
export { type DuplexModelLawOptions, duplexModelLaws } from "./testing/DuplexModel.laws.js"
export {
  type DuplexOfParts,
  duplexOfParts,
  type DuplexOfPartsOptions,
  type DuplexPartsSession,
  type DuplexReaction
} from "./testing/DuplexOfParts.js"
export { type RealtimeModelLawOptions, realtimeModelLaws } from "./testing/RealtimeModel.laws.js"
export {
  type PartsSession,
  type RealtimeOfParts,
  realtimeOfParts,
  type RealtimeOfPartsOptions,
  sessionBroke
} from "./testing/RealtimeOfParts.js"
export {
  type AudibleCallOptions,
  type CallerLine,
  type CallerMoment,
  type CallerMoments,
  runAudibleCall,
  type ScriptedAction
} from "./testing/ScriptedCaller.js"
