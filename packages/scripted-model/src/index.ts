export {
  allOf,
  always,
  anyOf,
  type Captures,
  lastFrom,
  type Matcher,
  modelIs,
  noneOf,
  systemSays,
  toolAnswered,
  turnIs,
  userGivesDigits,
  userMeans,
  userSays
} from "./Matchers.js"
export { type Intent } from "./Phrases.js"
export { type ScriptedPace } from "./Schedule.js"
export { ScriptedModel, type ScriptedOptions } from "./ScriptedModel.js"
export { type ScriptedRule } from "./ScriptedRule.js"
export { type ScriptedAnswer, type ScriptedTool, type ScriptedTurn, type TurnToolResult } from "./ScriptedTurn.js"
export { type SynthesisOptions, synthesize } from "./synthesis/Synthesize.js"
