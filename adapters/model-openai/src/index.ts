export { type Capabilities, type CapabilityOptions, type NoThinking, type ReasoningPlace } from "./Capabilities.js"
export * as OpenAiModel from "./OpenAiModel.js"
export { type Timeouts } from "./Timeouts.js"
