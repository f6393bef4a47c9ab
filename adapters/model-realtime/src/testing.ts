export { type LiveDouble, liveDouble, type LiveDoubleOptions, type LiveReaction } from "./testing/LiveDouble.js"
export { type RealtimeDouble, realtimeDouble, type RealtimeDoubleOptions } from "./testing/RealtimeDouble.js"
