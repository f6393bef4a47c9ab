export { type Answered, type AnswerEvent, type AnswerFailure, Answers, type Asking } from "./answering/Answers.js"
export { type Shown } from "./answering/Choice.js"
export { freeOfCharge, type Meter, type MostTokens } from "./answering/Meter.js"
export { makeStopFilter, type StopFilter, type TextPiece } from "./answering/StopFilter.js"
export {
  append,
  type Completion,
  type Delta,
  deltasOf,
  emptyCompletion,
  type FinishReason,
  gather,
  type TokenChoice,
  type TokenLikelihood,
  type Usage,
  wordsIn
} from "./Completion.js"
export { type ImagePart, inlineImage } from "./InlineImage.js"
export { LanguageModel, type Model, type ModelFailure } from "./LanguageModel.js"
export { type Content, type ContentPart, type Message, textOf, type ToolRequest, wordsOf } from "./Message.js"
export {
  conversationModel,
  type Effort,
  efforts,
  factsOf,
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
  type Limits,
  type ModelRequest,
  type ModelTool,
  type Origin,
  type Sampling,
  tenantOf,
  type ToolChoice
} from "./ModelRequest.js"
export { type Bounds } from "./routing/AnswerTimer.js"
export { type BreakerOptions, breaking } from "./routing/CircuitBreakers.js"
export { queued, type QueueOptions } from "./routing/FairQueue.js"
export {
  type FailedRoute,
  type FallbackOptions,
  type FallbackRoute,
  type Served,
  withFallbacks
} from "./routing/Fallbacks.js"
export { type Reliability, reliable } from "./routing/Reliability.js"
export { retrying, type RetryPolicies, type RetryPolicy } from "./routing/Retries.js"
export { type RequestFeature, routed, withoutFeatures } from "./routing/Routing.js"
export { bounded } from "./routing/Timeouts.js"
export { pointedAt } from "./schema/Keywords.js"
export { matcherOf, type PatternMatcher, type PatternTree } from "./schema/Pattern.js"
export { mostOfSchema, schemaFault, sizeSeen } from "./schema/SchemaFault.js"
export { checkerOf, violations } from "./schema/Violations.js"
export { type PromptTexts, promptTexts } from "./tokens/PromptTexts.js"
export { type CountsTokens, TokenCounter } from "./tokens/TokenCounter.js"
