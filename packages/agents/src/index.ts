export {
  Agent,
  AgentCatalog,
  declaredVariables,
  decodeAgent,
  definitionIssues,
  isCommitted,
  requiredOutputs,
  stateNames,
  undeclaredVariables,
  versionOf
} from "./Agent.js"
export { AgentState, AgentTool, AgentVersion, type BuiltInTool, builtInTools, VoiceHints } from "./AgentVersion.js"
export {
  type AgentDefinition,
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
export {
  advance,
  containsPhrase,
  digitsOf,
  type Exit,
  exits,
  Expectation,
  normalizeSpoken,
  Script,
  type ScriptMove,
  type ScriptState,
  ScriptStep,
  startAt
} from "./Script.js"
export { fillTemplate, Localized, OutputVariable, VariableName, type Wording, wordingIn } from "./Templates.js"
