export { defaultCallee, type DoubleCall, type DoubleCallee, type DoubleRule } from "./testing/DoubleCall.js"
export {
  type DoubleOptions,
  type DoubleProvider,
  type DoubleRequest,
  type InboundPerson,
  startDouble
} from "./testing/DoubleProvider.js"
export { type Fault, type FaultRates, randomFrom, type Route } from "./testing/Faults.js"
export type { Journal, JournalEntry } from "./testing/Journal.js"
export type { PushHandler, PushOptions } from "./testing/PushSender.js"
