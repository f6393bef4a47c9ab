export * from "./Completion.js"
export * from "./LanguageModel.js"
export * from "./Message.js"
export * from "./ModelId.js"
export * from "./ModelRequest.js"
export {
  always,
  type ScriptedAnswer,
  type ScriptedRule,
  type ScriptedTurn,
  toolAnswered,
  userSays
} from "./ScriptedModel.js"
