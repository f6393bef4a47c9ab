export { type CallerMove } from "./debugger/DebuggedLeg.js"
export {
  type DebuggedCall,
  type DebuggedTurn,
  type Debugger,
  type DebuggerParts,
  makeDebugger
} from "./debugger/Debugger.js"
export { writeTest, type WrittenTest } from "./harness/WriteTest.js"
export { type CallSummary, type ToolUsed } from "./replays/CallSummary.js"
export { type ReplayDifference } from "./replays/Differences.js"
export { type Divergence } from "./replays/FollowTrace.js"
export { type ToolNotRun } from "./replays/GoOn.js"
export { type CallReplay, replayCall } from "./replays/ReplayCall.js"
export { type ReplayParts, type ToolMock } from "./replays/ReplayParts.js"
export { type ToolAnswer } from "./replays/RestOfTrace.js"
export { renderReplay, renderSummary } from "./summaries/RenderReplay.js"
export { type CallsToReplay, replayCalls, type ReplayResult } from "./summaries/ReplayCalls.js"
export {
  addReplay,
  type Counts,
  emptySummary,
  type ReplaySummary,
  type SkippedReplay
} from "./summaries/ReplaySummary.js"
export {
  type CallTrace,
  decodeTrace,
  maxTrace,
  type TraceEntry,
  TraceUnreadable,
  traceVersion
} from "./trace/CallTrace.js"
export { CallTraces } from "./trace/CallTraces.js"
export { redactDefaults, RedactRule } from "./trace/RedactTrace.js"
export { traceTapes, type TraceTapesOptions } from "./trace/TraceTapes.js"
