export { findTeam, planOf } from "./actions/Team.js"
export { makeReport, offeredBy } from "./Conversation.js"
export { converse } from "./Interpreter.js"
export { withLastWords } from "./state/CallerWords.js"
export {
  type CallPlan,
  type CallState,
  currentVariables,
  type FlowCommand,
  type FlowEvent,
  initialState,
  planCall,
  type Step
} from "./state/CallState.js"
export { noModelInputs } from "./state/ModelInputs.js"
export { CallEventJson, HeardJson, noCutOffWork } from "./state/StepLog.js"
export { step } from "./Step.js"
export type { ToolOutcome } from "./tools/ToolOutcome.js"
