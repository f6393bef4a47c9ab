export { ModelFileUnavailable } from "./ModelFiles.js"
export { SmartTurn, type SmartTurnOptions } from "./SmartTurn.js"
export { VadSilero, type VadSileroOptions } from "./VadSilero.js"
