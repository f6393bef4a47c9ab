export { checkCall, type CheckOptions } from "./checks/CheckCall.js"
export {
  factFaults,
  type Fault,
  gapFaults,
  heardFaults,
  notUsedFaults,
  orderFaults,
  saidFaults,
  turnFaults,
  useFaults,
  valueFaults
} from "./checks/Expectations.js"
export { type Pattern } from "./checks/Matching.js"
export { type Agreement, agreementLine, agreementOf, type JudgedLabel, wilsonShare } from "./judge/Agreement.js"
export { type LabelledTranscript } from "./judge/Labelled.js"
export { labelledTranscripts } from "./judge/LabelledTranscripts.js"
export { judgedTranscript, judgeInstructions, judgeQuestion, majority, readVote, type Vote } from "./judge/Verdict.js"
export { type Caller, CallerStuck } from "./line/Caller.js"
export { type CallLine } from "./line/CallLine.js"
export { makeCallLog, type TestCallLog } from "./line/CallLog.js"
export { makeTextLine } from "./line/TextLine.js"
export { differenceOf, goldenText } from "./record/GoldenCall.js"
export { type CallMark, printCall } from "./record/PrintCall.js"
export {
  type AgentTurn,
  type CallerTurn,
  type CallerVerb,
  type ModelExchange,
  type RecordedTurn,
  type TestedCall,
  type TestedTurn,
  type ToolTurn,
  type Violation
} from "./record/TestedCall.js"
export { playCaller } from "./run/PlayCaller.js"
export { type CallRun, type CallTest, type MakeLine, runCall } from "./run/RunCall.js"
export { makeStandingTime, type StandingTime } from "./run/StandingTime.js"
export { type ToolMock, type ToolMocks, watchTools } from "./run/WatchedTools.js"
export { agentActions, checkActions, checkState, checkWords, passPower, type TaskCheck } from "./tasks/ScoreTask.js"
export { decodeTasks, type StandardTask, type TaskFile } from "./tasks/StandardTask.js"
