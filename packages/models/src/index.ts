export {
  type AnswerEvent,
  type AnswerFailure,
  type AnswerRequest,
  Answers,
  type AnswerSet
} from "./answering/Answers.js"
export { type VisibleDelta } from "./answering/Choice.js"
export { freeMeter, type Meter, type TokenReservation } from "./answering/Meter.js"
export { makeStopFilter, type StopFilter, type TextPiece } from "./answering/StopFilter.js"
export {
  appendDelta,
  type Completion,
  type Delta,
  deltaLength,
  emptyCompletion,
  type FinishReason,
  gatherDeltas,
  makeGatherer,
  splitIntoDeltas,
  splitWords,
  type TokenChoice,
  type TokenLikelihood,
  type Usage
} from "./Completion.js"
export { type ImagePart, inlineImage } from "./InlineImage.js"
export { LanguageModel, type Model, type ModelFailure } from "./LanguageModel.js"
export { type Content, type ContentPart, contentText, type Message, messageText, type ToolRequest } from "./Message.js"
export {
  countedModel,
  countedModelLayer,
  type ModelKey,
  type ModelProvider,
  tokenUsage
} from "./metering/CountedModel.js"
export {
  conversationModel,
  type Effort,
  efforts,
  findModel,
  ModelCatalog,
  type ModelFacts,
  type ModelId,
  modelIds,
  type ModelRoute,
  publicModels,
  type Thinking
} from "./ModelCatalog.js"
export {
  type AnswerFormat,
  type JsonSchema,
  type ModelRequest,
  type ModelTool,
  type Origin,
  type OutputLimits,
  type Sampling,
  tenantOf,
  type ToolChoice
} from "./ModelRequest.js"
export { type AnswerTimeouts } from "./routing/AnswerTimer.js"
export { type BreakerOptions, withCircuitBreakers } from "./routing/CircuitBreakers.js"
export { type QueueOptions, withQueue } from "./routing/FairQueue.js"
export {
  type FailedRoute,
  type FallbackOptions,
  type FallbackRoute,
  type Served,
  withFallbacks
} from "./routing/Fallbacks.js"
export { type Reliability, withReliability } from "./routing/Reliability.js"
export { type RetryPolicies, type RetryPolicy, withRetries } from "./routing/Retries.js"
export { type RequestFeature, routeByModel, withoutFeatures } from "./routing/Routing.js"
export { withTimeouts } from "./routing/Timeouts.js"
export { resolvePointer } from "./schema/Keywords.js"
export { misspeltKeyword } from "./schema/MisspeltKeyword.js"
export { compilePattern, type PatternMatcher, type PatternTree } from "./schema/Pattern.js"
export { measureSchema, schemaFault, schemaLimits } from "./schema/SchemaFault.js"
export { makeSchemaChecker, violations } from "./schema/Violations.js"
export { type PromptTexts, promptTexts } from "./tokens/PromptTexts.js"
export { TokenCounter, type TokenCounterService } from "./tokens/TokenCounter.js"
