export * as LlamaCppModel from "./LlamaCppModel.js"
export * as LlamaCppTokens from "./LlamaCppTokens.js"
export { type Gpu } from "./LlamaModule.js"
export { LlamaCppMissing, type ModelFile, ModelFileUnusable } from "./OpenedModel.js"
