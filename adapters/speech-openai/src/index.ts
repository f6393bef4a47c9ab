export * as SpeechDialects from "./dialects/index.js"
export type * from "./dialects/SpeechDialect.js"
export * as SynthesizerOpenAi from "./SynthesizerOpenAi.js"
