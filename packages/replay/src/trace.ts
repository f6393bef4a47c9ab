export {
  type CallTrace,
  decodeTrace,
  maxTrace,
  type TraceEntry,
  TraceUnreadable,
  traceVersion
} from "./trace/CallTrace.js"
export { CallTraces } from "./trace/CallTraces.js"
export { redactDefaults, RedactRule } from "./trace/RedactTrace.js"
export { traceTapes, type TraceTapesOptions } from "./trace/TraceTapes.js"
