export { Bus, makeMemoryBus } from "./bus/Bus.js"
export { type BusLink, type BusMember, makeBusMember } from "./bus/BusMember.js"
export type { Hint } from "./bus/HintText.js"
export { AesGcm, type Encrypt, type Plaintext, unsharedBytes } from "./bytes/AesGcm.js"
export {
  appendBytes,
  collectBytes,
  concatBytes,
  encodeTexts,
  escapeFormula,
  sseComment,
  sseFrame,
  sseText,
  withinLimit
} from "./bytes/Bytes.js"
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
export { inPieces } from "./bytes/Pieces.js"
export { type Batches, type BatchOptions, makeBatches } from "./concurrency/Batches.js"
export {
  type BreakerOutcome,
  type CallTotals,
  CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitBreakerSettings,
  circuitBreakerSettings,
  type CircuitPass,
  SlidingWindow
} from "./concurrency/CircuitBreaker.js"
export { type FairMutex, type Handover, makeFairMutex } from "./concurrency/FairMutex.js"
export {
  type LeaseClaim,
  type LeaseWorker,
  type LeaseWorkerOptions,
  makeLeaseWorker
} from "./concurrency/LeaseWorker.js"
export { EventQueue, PriorityQueue, type QueuedEvent, type QueueEntry } from "./concurrency/PriorityQueue.js"
export { Processes } from "./concurrency/Processes.js"
export { describeCause, retryForever, type RetryForeverOptions } from "./concurrency/RetryForever.js"
export { makeSingleFlight, type SingleFlight } from "./concurrency/SingleFlight.js"
export { TokenBucket, type TokenRate } from "./concurrency/TokenBucket.js"
export { bracketNow, flatMapNow, hasExit, mapNow, matchCauseNow, valueNow } from "./fast/Immediate.js"
export {
  firstPoll,
  fromPull,
  fromSource,
  mapPoll,
  type OpenPull,
  type OpenStream,
  openStream,
  type Pull,
  type StartedStream,
  toPull,
  toSource,
  unwrapPull
} from "./fast/PullStream.js"
export { catchPullCause, ensurePull, mapSource, startSource, suspendSource, unwrapSource } from "./fast/SourceStages.js"
export { type EngineFault, engineFault, type EngineFaultKind, EngineFaults } from "./faults/EngineFaults.js"
export { logFailure, reasonOf, reasonOfCause, reasonOfThrown, withoutLooseEnd, withReason } from "./faults/Reasons.js"
export { redact, withoutSecrets } from "./faults/Redaction.js"
export {
  applyPage,
  emptyAsAbsent,
  emptyAsDefault,
  listParameters,
  makePage,
  maxPageLimit,
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
export { jsonWriter, writtenAs } from "./json/JsonWriter.js"
export {
  type Counter,
  type Gauge,
  type Histogram,
  makeCounter,
  makeGauge,
  makeHistogram,
  type MeterDeclaration,
  type MeterDescriptor,
  meterDescriptors,
  type MeterLabels
} from "./metrics/Meters.js"
export { CostLedger, CostLine, CostUnit } from "./prices/CostLedger.js"
export { CurrentUsage, makeUsageMeter, type ServiceUsage, type UsageMeter } from "./prices/CurrentUsage.js"
export {
  addToLedger,
  type CarrierUse,
  type LedgerInput,
  ledgerOf,
  makeLedger,
  reportedMicros
} from "./prices/MakeLedger.js"
export { convertMicros, moneyText, priceInMicros, toMicros } from "./prices/Money.js"
export {
  billedSeconds,
  type CarriedCall,
  CostCurrency,
  type CostSettings,
  findCarrierPrice,
  findPrice,
  type Increments,
  type PricedService,
  type PricedUnit,
  type PriceKey,
  type ProviderPrice,
  ProviderPrices,
  type ProviderPriceTable
} from "./prices/ProviderPrice.js"
export {
  CurrentSpanTexts,
  currentTraceHeaders,
  isTraced,
  noteSpan,
  type SpanOptions,
  traceHeaders,
  withParent,
  withSpan
} from "./spans/Spans.js"
export { AcceleratedTime, type AcceleratedTimeOptions } from "./time/AcceleratedTime.js"
export { BusinessTime } from "./time/BusinessTime.js"
export { everyPeriod } from "./time/Periods.js"
export { fiberStarter, interruptOn, type Listen, type StartFiber, timeoutAfter, timeoutAt } from "./time/Timeout.js"
export { macroTask, type SetTimer, timerOf } from "./time/Timers.js"
export { Timestamp } from "./time/Timestamp.js"
export { defaultTimeZone, TimeZone, type ZonePeriod, zonePeriod } from "./time/TimeZone.js"
export { VirtualClock, type VirtualClockOptions, VirtualTimeStalled } from "./time/VirtualClock.js"
export {
  DayName,
  dayNames,
  Days,
  EndTimeOfDay,
  isOpen,
  lastOpening,
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
export { findOne } from "./transactions/FindOne.js"
export { MemoryTable, type RowListener } from "./transactions/MemoryTable.js"
export { PersonData, type PersonFound, type PersonRemoved } from "./transactions/PersonData.js"
export { RetainedData, type RetainedKind, retainedKinds, type RetainedRow } from "./transactions/RetainedData.js"
export { scopedTransaction } from "./transactions/ScopedTransaction.js"
export { StoreProbe, type StoreVersion } from "./transactions/StoreProbe.js"
export { isStoreOutage, StoreUnavailable } from "./transactions/StoreUnavailable.js"
export { CurrentStoreWaitBudget, StoreBusy, StoreWaitBudget } from "./transactions/StoreWaitBudget.js"
export { rollbackable, Transactions } from "./transactions/Transactions.js"
export { afterCallFields, AfterCallResult, Extraction, ExtractionStatus, OutputType } from "./values/AfterCallFields.js"
export { AnswerAction, AnsweredBy, AnswerEvidence, AnswerVerdict, CallAnswer } from "./values/CallAnswer.js"
export { CanaryArm } from "./values/CanaryArm.js"
export { CanaryEnd, canaryEndedFields, CanaryEndReason } from "./values/CanaryEnd.js"
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
export { conversationFields, noConversation, nullableConversationFields } from "./values/ConversationFields.js"
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
export { lruCache } from "./values/LruCache.js"
export { modelInputFields, type ModelInputMessage } from "./values/ModelInputFields.js"
export { phoneLengthProblem } from "./values/PhoneLength.js"
export {
  isPhoneCountry,
  maskPhone,
  normalizePhone,
  type PhoneCountry,
  PhoneNumber,
  type PhoneRejection
} from "./values/PhoneNumber.js"
export { withReadOnly } from "./values/ReadOnlyFields.js"
export { placeholder, templateFault, templateVariables } from "./values/Template.js"
export { TurnEnd } from "./values/TurnEnd.js"
