export * from "./AcceleratedTime.js"
export * from "./AttemptStatus.js"
export * from "./BusinessTime.js"
export * from "./ByteStreams.js"
export {
  type CallOutcome,
  type CallTotals,
  CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitBreakerSettings,
  circuitBreakerSettings,
  type CircuitPass,
  SlidingWindow
} from "./CircuitBreaker.js"
export * from "./DescribeCause.js"
export * from "./Digest.js"
export * from "./EmptyIsAbsent.js"
export * from "./Entropy.js"
export * from "./EventHeap.js"
export * from "./FaultPoints.js"
export * from "./Ids.js"
export * from "./InPieces.js"
export {
  canonicalJson,
  fieldOf,
  isJsonObject,
  type JsonEndDetector,
  type JsonObject,
  listOf,
  makeJsonEndDetector,
  numberOf,
  objectOf,
  parseJson,
  stringOf,
  stringsOf
} from "./Json.js"
export * from "./LeaveAt.js"
export * from "./MacroTask.js"
export * from "./MemoryTable.js"
export * from "./MortalTransactions.js"
export * from "./Names.js"
export * from "./Paging.js"
export * from "./PhoneNumber.js"
export * from "./RequestId.js"
export * from "./Scope.js"
export * from "./ServerSentEvents.js"
export * from "./Spares.js"
export * from "./Steadily.js"
export * from "./StorePatience.js"
export * from "./Timestamp.js"
export * from "./TimeZone.js"
export * from "./Transactions.js"
export * from "./Trusted.js"
export * from "./Turns.js"
export * from "./Undoable.js"
export * from "./Variables.js"
export * from "./VirtualClock.js"
export * from "./WebAddress.js"
export * from "./WebhookConfig.js"
export * from "./WebhookConfigured.js"
export * from "./WeeklyWindow.js"
