export { AgentVoice, type ChosenVoice } from "./AgentVoice.js"
export { type EndOfTurn, endOfTurnByWords, fixedEndOfTurn, type Pause } from "./EndOfTurn.js"
export { TurnTaking } from "./TurnTaking.js"
export { turnTakingDefaults, TurnTakingOption, type TurnTakingOptions } from "./TurnTakingOptions.js"
