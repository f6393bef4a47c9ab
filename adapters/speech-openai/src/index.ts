export { openAiLanguages } from "./providers/OpenAiVoices.js"
export { type FaultCodes, faultOfCode, type VoiceProvider } from "./providers/VoiceProvider.js"
export { voicePrices, type VoiceProviderName, voiceProviderNames, voiceProviders } from "./providers/VoiceProviders.js"
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
