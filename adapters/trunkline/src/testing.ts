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
} from "./generated/Testing.js"
export { CallError } from "./testing/CallError.js"
export {
  type ContactAnswer,
  type TestCampaignOptions,
  type TestContact,
  type TestedCampaign,
  type TestedDial
} from "./testing/campaigns/CampaignTypes.js"
export { type CallExpectations, expectCall } from "./testing/ExpectCall.js"
export { expectGolden, type GoldenOptions } from "./testing/GoldenCall.js"
export { cachedModel } from "./testing/models/CachedModel.js"
export { type Judge, type JudgeAgreement, type JudgeOptions, makeJudge, type Verdict } from "./testing/models/Judge.js"
export { playedBy, type PlayedCaller } from "./testing/models/PlayedCaller.js"
export { type PassOptions, type PassShare, passShare, type SeedRun, TooFewPass } from "./testing/PassShare.js"
export { slowTool } from "./testing/SlowTool.js"
export { defineSuite, type Suite, type SuitePrice, type SuiteTest } from "./testing/suites/Suite.js"
export { evaluateTasks } from "./testing/tasks/EvaluateTasks.js"
export {
  type EvaluatedTask,
  type Evaluation,
  type EvaluationOptions,
  type TaskBasis,
  type TaskCheck,
  type TaskEnvironment,
  type TaskFunction,
  type TaskResult,
  type TaskRun,
  type VersionResult
} from "./testing/tasks/TaskTypes.js"
export { showCall, testAgent, testCampaign } from "./testing/TestAgent.js"
export {
  type CallerScript,
  type CallRule,
  type CallRules,
  type InterruptsOptions,
  type MockContext,
  type MockFunction,
  type SaysOptions,
  type SlowTool,
  type TestAgentOptions,
  type TestCaller,
  type TestCallOptions,
  type TestedAgent,
  type Words
} from "./testing/TestTypes.js"
