export { defaultCallee, type DoubleCall, type DoubleCallee, type DoubleRule } from "./double/DoubleCall.js"
export {
  type DoubleOptions,
  type DoubleProvider,
  type DoubleRequest,
  type InboundPerson,
  startDouble
} from "./double/DoubleProvider.js"
export { type Fault, type FaultRates, randomFrom, type Route } from "./double/Faults.js"
export type { Journal, JournalEntry } from "./double/Journal.js"
export type { PushHandler, PushOptions } from "./double/PushSender.js"
