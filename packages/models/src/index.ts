export * from "./answer/Completion.js"
export * from "./answer/Delta.js"
export * from "./answer/Usage.js"
export * from "./answers/Answers.js"
export * from "./answers/Meter.js"
export * from "./catalog/ModelCatalog.js"
export * from "./catalog/ModelFacts.js"
export * from "./LanguageModel.js"
export * from "./Message.js"
export * from "./ModelRequest.js"
export {
  always,
  type ScriptedAnswer,
  type ScriptedRule,
  type ScriptedTurn,
  toolAnswered,
  userSays
} from "./scripted/ScriptedModel.js"
export * from "./tokens/TokenCounter.js"
