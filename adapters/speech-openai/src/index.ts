export {
  type DialectInput,
  type DialectOptions,
  type PrepareVoice,
  type ResponseFormat,
  type SpeechDialect,
  type SpeechRequest
} from "./SpeechDialect.js"
export * as SpeechDialects from "./SpeechDialects.js"
export * as SynthesizerOpenAi from "./SynthesizerOpenAi.js"
export * as TranscriberOpenAi from "./transcriber/TranscriberOpenAi.js"
