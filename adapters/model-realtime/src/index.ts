export { type LiveOptions } from "./live/LiveOptions.js"
export * as ModelLive from "./ModelLive.js"
export * as ModelRealtime from "./ModelRealtime.js"
export { type RealtimeOptions, type RealtimeProtocol, type TurnDetection } from "./RealtimeOptions.js"
