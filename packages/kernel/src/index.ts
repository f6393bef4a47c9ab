export { collectBytes, concatBytes, escapeFormula, sseComment, sseFrame, withinLimit } from "./bytes/Bytes.js"
export {
  constantTimeEqual,
  Entropy,
  hmacSha256,
  type IncrementalSha256,
  rollingSha256,
  sha256Hex
} from "./bytes/Crypto.js"
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
export { type FairMutex, type Handover, makeTurns } from "./concurrency/FairMutex.js"
export { EventHeap, type HeapEvent, PriorityQueue, type QueueEntry } from "./concurrency/PriorityQueue.js"
export { describeCause, type RetryForeverOptions, steadily } from "./concurrency/RetryForever.js"
export { makeSingleFlight, type SingleFlight } from "./concurrency/SingleFlight.js"
export {
  applyPage,
  emptyIs,
  emptyIsAbsent,
  listParameters,
  MAX_PAGE_LIMIT,
  type Page,
  page,
  pageOf,
  type PageRequest,
  type PageView,
  QueryInt,
  SortOrder
} from "./http/Paging.js"
export {
  checkWebAddress,
  GivenWebhookConfig,
  GivenWebhookSecret,
  keepingSecret,
  PublicWebhookConfig,
  publicWebhookConfig,
  webAddressIssue,
  WebAddressRules,
  WebhookConfig,
  WebhookConfigured,
  WebhookMetadata
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
export { leaveAfter, leaveAt } from "./time/Timeout.js"
export { macroTask } from "./time/Timers.js"
export { Timestamp } from "./time/Timestamp.js"
export { DEFAULT_TIME_ZONE, TimeZone, type ZonePeriod, zonePeriod } from "./time/TimeZone.js"
export { VirtualClock, type VirtualClockOptions, VirtualTimeStalled } from "./time/VirtualClock.js"
export { closesAt, DayName, dayNames, Days, isOpen, nextOpening, TimeOfDay, WeeklyWindow } from "./time/WeeklyWindow.js"
export { type Around, FaultPoints } from "./transactions/FaultPoints.js"
export { MemoryTable } from "./transactions/MemoryTable.js"
export { CurrentStorePatience, StoreBusy, StorePatience } from "./transactions/StoreWaitBudget.js"
export { Transactions, undoable } from "./transactions/Transactions.js"
export { inPieces } from "./values/ChunkedArray.js"
export {
  CompletionStatus,
  ConnectivityStatus,
  Description,
  NextActionStatus,
  ResourceName,
  trusted,
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
  normalisePhone,
  type PhoneCountry,
  PhoneNumber,
  type PhoneRejection
} from "./values/PhoneNumber.js"
