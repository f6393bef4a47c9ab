export { findTeam, planOf } from "./actions/Team.js"
export { makeReport, offeredBy } from "./Conversation.js"
export { converse } from "./Interpreter.js"
export { withLastWords } from "./state/CallerWords.js"
export {
  type CallPlan,
  type CallState,
  currentVariables,
  initialState,
  planCall,
  type Step,
  type StepCommand,
  type StepEvent
} from "./state/CallState.js"
export { noModelInputs } from "./state/ModelInputs.js"
export { CallEventJson, HeardJson, noCutOffWork } from "./state/StepLog.js"
export { step } from "./Step.js"
export type { ToolOutcome } from "./tools/ToolOutcome.js"
