export { AfterCall, SummaryInstructions, summaryOf } from "./AfterCall.js"
export {
  Agent,
  AgentCatalog,
  committedVersions,
  declaredVariables,
  decodeAgent,
  definitionIssues,
  isCommitted,
  requiredOutputs,
  stateNames,
  undeclaredVariables,
  versionList,
  versionOf
} from "./Agent.js"
export { type ActionTool, actionTools, actionToolsOf, DigitEntry, HandOver, HistoryMode, Hold } from "./AgentActions.js"
export { AgentTool, type BuiltInTool, builtInTools, type ToolPolicy } from "./AgentTool.js"
export { AgentState, AgentVersion, VoiceHints } from "./AgentVersion.js"
export {
  type AgentDefinition,
  checking,
  defineAgent,
  type DefinedAgent,
  type DefinedTool,
  InvalidAgent,
  type PartialVariables,
  type ToolCall,
  type ToolDefinition,
  ToolFailed,
  type ToolHandler,
  type ToolHandlers,
  type ToolMaker,
  type ToolResult
} from "./DefineAgent.js"
export { type HandOverIssue, handOverIssues, versionForHandOver } from "./HandOvers.js"
export { fillReferences, HttpRequest, referencesIn, soleReference, type TemplateReference } from "./HttpRequest.js"
export { AgentKnowledge, knowledgeHandlers, knowledgeToolsOf } from "./KnowledgeTool.js"
export { outputSchema, outputTypeOf, OutputVariable, readOutput } from "./OutputVariable.js"
export { recordingHandlers, recordingToolsOf } from "./RecordingTool.js"
export { AgentDifferences, VersionDifference } from "./records/AgentDifference.js"
export { AgentEditor } from "./records/AgentEditor.js"
export { agentLimits } from "./records/AgentLimits.js"
export { type VersionPath } from "./records/AgentReader.js"
export {
  AgentEntry,
  AgentRecord,
  CommitVersion,
  CreateAgent,
  CreateVersion,
  PatchAgent,
  PatchVersion,
  VersionDefinition,
  VersionEntry,
  VersionRecord,
  WorkspaceTool
} from "./records/AgentRecord.js"
export { AgentStore, type SizedVersion } from "./records/AgentStore.js"
export { HostOffer, isOpenTo, openSecrets } from "./records/HostOffer.js"
export { draftIssues, type VersionIssue } from "./records/VersionChecks.js"
export {
  advance,
  containsPhrase,
  digitsOf,
  type Exit,
  exits,
  Expectation,
  expectedPhrases,
  normalizeSpoken,
  Script,
  type ScriptMove,
  type ScriptState,
  ScriptStep,
  startAt
} from "./Script.js"
export { fillTemplate, Localized, type LocalizedText, VariableName, wordingIn } from "./Templates.js"
export { type LineTool, lineTools, TransferTarget } from "./TransferTarget.js"
