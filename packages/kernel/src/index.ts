export { collectBytes, concatBytes, escapeFormula, sseComment, sseFrame, withinLimit } from "./bytes/Bytes.js"
export {
  constantTimeEqual,
  Entropy,
  Hmac,
  hmacSha256,
  type IncrementalSha256,
  incrementalSha256,
  sha256,
  sha256Hex
} from "./bytes/Crypto.js"
export { type Batches, type BatchOptions, makeBatches } from "./concurrency/Batches.js"
export {
  type CallOutcome,
  type CallTotals,
  CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitBreakerSettings,
  circuitBreakerSettings,
  type CircuitPass,
  SlidingWindow
} from "./concurrency/CircuitBreaker.js"
export { type FairMutex, type Handover, makeFairMutex } from "./concurrency/FairMutex.js"
export { bracketNow, flatMapNow, mapNow, valueNow } from "./concurrency/Immediate.js"
export { EventQueue, PriorityQueue, type QueuedEvent, type QueueEntry } from "./concurrency/PriorityQueue.js"
export {
  catchPullCause,
  ensurePull,
  fromPull,
  fromSource,
  type OpenPull,
  type OpenStream,
  openStream,
  type Pull,
  toPull,
  toSource,
  unwrapPull,
  unwrapSource
} from "./concurrency/PullStream.js"
export { describeCause, retryForever, type RetryForeverOptions } from "./concurrency/RetryForever.js"
export { makeSingleFlight, type SingleFlight } from "./concurrency/SingleFlight.js"
export {
  applyPage,
  emptyAsAbsent,
  emptyAsDefault,
  listParameters,
  makePage,
  MAX_PAGE_LIMIT,
  type Page,
  pageOf,
  type PageRequest,
  type PageView,
  QueryInt,
  SortOrder
} from "./http/Paging.js"
export {
  checkWebAddress,
  PublicWebhookConfig,
  publicWebhookConfig,
  webAddressIssue,
  WebAddressRules,
  WebhookConfig,
  WebhookConfigInput,
  WebhookConfigListener,
  WebhookMetadata,
  WebhookSecretInput,
  withPreviousSecret
} from "./http/WebhookConfig.js"
export {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  ConnectionId,
  CurrentRequestId,
  DeploymentId,
  Ids,
  InteractionId,
  OrgId,
  RequestId,
  Scope,
  scopeKey,
  VoiceId,
  WorkspaceId
} from "./ids/Ids.js"
export { AcceleratedTime, type AcceleratedTimeOptions } from "./time/AcceleratedTime.js"
export { BusinessTime } from "./time/BusinessTime.js"
export { timeoutAfter, timeoutAt } from "./time/Timeout.js"
export { macroTask } from "./time/Timers.js"
export { Timestamp } from "./time/Timestamp.js"
export { DEFAULT_TIME_ZONE, TimeZone, type ZonePeriod, zonePeriod } from "./time/TimeZone.js"
export { VirtualClock, type VirtualClockOptions, VirtualTimeStalled } from "./time/VirtualClock.js"
export {
  DayName,
  dayNames,
  Days,
  isOpen,
  nextClosing,
  nextOpening,
  TimeOfDay,
  WeeklyWindow
} from "./time/WeeklyWindow.js"
export {
  type CrashableOptions,
  type CrashableTransactions,
  crashableTransactions,
  type EffectTransform,
  FaultPoints
} from "./transactions/FaultPoints.js"
export { MemoryTable, type RowListener } from "./transactions/MemoryTable.js"
export { scopedTransaction } from "./transactions/ScopedTransaction.js"
export { CurrentStoreWaitBudget, StoreBusy, StoreWaitBudget } from "./transactions/StoreWaitBudget.js"
export { rollbackable, Transactions } from "./transactions/Transactions.js"
export { chunkedArray } from "./values/ChunkedArray.js"
export {
  CompletionStatus,
  ConnectivityStatus,
  Description,
  NextActionStatus,
  ResourceName,
  unchecked,
  uncheckedInstance,
  Variables,
  VariableValue
} from "./values/CommonSchemas.js"
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
} from "./values/Json.js"
export {
  isPhoneCountry,
  maskPhone,
  normalizePhone,
  type PhoneCountry,
  PhoneNumber,
  type PhoneRejection
} from "./values/PhoneNumber.js"
