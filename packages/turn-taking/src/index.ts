export { AgentVoice, type ChosenVoice } from "./AgentVoice.js"
export { isBackchannel } from "./Backchannel.js"
export {
  type EndOfTurn,
  endOfTurnByModel,
  endOfTurnByWords,
  fixedEndOfTurn,
  type Pause,
  type PauseVerdict
} from "./EndOfTurn.js"
export {
  type ExactWords,
  type RealtimeCommand,
  type RealtimeEvent,
  RealtimeModel,
  type RealtimeOpening,
  type RealtimeSession,
  type RealtimeSetup
} from "./realtime/RealtimeModel.js"
export { type TurnJudge, TurnModel } from "./TurnModel.js"
export { turnTakingDefaults, TurnTakingOption, type TurnTakingOptions } from "./TurnTakingOptions.js"
export { RealtimeVoicing } from "./voicing/RealtimeVoicing.js"
export { TurnTaking } from "./voicing/TurnTaking.js"
