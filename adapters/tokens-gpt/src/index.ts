export * as TokensGpt from "./TokensGpt.js"
export { type Encoding, TokenizerMissing } from "./Vocabulary.js"
