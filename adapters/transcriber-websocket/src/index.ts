export { type AddressRules } from "./Address.js"
export { deepgram, type DeepgramOptions } from "./dialects/Deepgram.js"
export { flux, type FluxOptions } from "./dialects/Flux.js"
export { openAiRealtime, type OpenAiRealtimeOptions } from "./dialects/OpenAiRealtime.js"
export { type SarvamOptions, sarvamRealtime } from "./dialects/SarvamRealtime.js"
export { scribe, type ScribeOptions } from "./dialects/Scribe.js"
export { vosk, type VoskOptions } from "./dialects/Vosk.js"
export { type ListenDialect, type ListenOpening, type ListenRequest, type ServerReply } from "./ListenDialect.js"
export * as ListenerWebSocket from "./ListenerWebSocket.js"
export {
  type StreamingProvider,
  type StreamingProviderName,
  streamingProviderNames,
  streamingProviders,
  transcriberPrices
} from "./providers/StreamingProviders.js"
