export { type Capabilities, type CapabilityOptions, type NoThinking, type ReasoningPlace } from "./Capabilities.js"
export * as OpenAiModel from "./OpenAiModel.js"
export { modelPrices, modelProviderOf } from "./Prices.js"
export { type Timeouts } from "./Timeouts.js"
