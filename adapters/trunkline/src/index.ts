import type { TrunklineOptions } from "./options/TrunklineOptions.js"
import type { Trunkline } from "./TrunklineTypes.js"

/**
 * Starts an engine: agents, phone lines, a model and a voice over SQLite and files in a folder. Rejects with `InvalidOption`
 * when an option is missing, unknown or wrong, and with `DataFolderInUse` when another process uses the folder.
 *
 * @example
 * ```ts
 * const trunkline = await createTrunkline({
 *   data: "./data",
 *   agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
 *   lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }]
 * })
 * const call = await trunkline.calls.create({ agent: "reminder", to: "+919876543210", variables: { name: "Asha" } })
 * const { transcript } = await call.ended
 * ```
 */
export const createTrunkline = async (options: TrunklineOptions): Promise<Trunkline> => {
  // The engine is loaded when it is needed, so that importing this package costs nothing.
  const { startTrunkline } = await import("./CreateTrunkline.js")
  return startTrunkline(options)
}

export type { ConsoleHandlers, ConsoleOptions } from "./assembly/ConsolePage.js"
export type {
  BrowserCallOptions,
  BrowserCallToken,
  CallEnded,
  CallLimitOptions,
  CampaignAttemptPayload,
  CanaryEndedPayload,
  Failure,
  InboundCallPayload,
  MailOptions,
  OutboundCallPayload,
  ReportMessage,
  ResponsesOptions,
  SimulatorOptions,
  TelemetryOptions,
  TranscriptTurn
} from "./generated/Resources.js"
export {
  type AgentOptions,
  type CallRecording,
  defineTool,
  type SingleAgentOptions,
  type Tool,
  type ToolContext,
  type ToolOutput,
  toolOutput,
  type TypedTool,
  type Variables,
  type VersionedAgentOptions,
  type VersionOptions,
  type WorkspaceAgentOptions
} from "./options/AgentOptions.js"
export type { TraceOption, TraceRule } from "./options/agents/TraceOption.js"
export { InvalidOption } from "./options/InvalidOption.js"
export {
  CallHungUp,
  CallNotSent,
  CallRejected,
  type CallRequest,
  type Line,
  type PlainCall,
  type PlainCarrier,
  type PlainLeg,
  type PlainOffer
} from "./options/LineOptions.js"
export type { LogFormatOption, LoggerOption, LogLevelOption } from "./options/LoggerOptions.js"
export {
  type Model,
  type ModelCall,
  openai,
  type OpenAiOptions,
  type PlainModel,
  type ProvidedModel,
  type ProvidedOpenAi,
  scripted
} from "./options/ModelOptions.js"
export {
  openaiLive,
  type OpenAiLiveOptions,
  openaiRealtime,
  type OpenAiRealtimeOptions,
  type ProvidedRealtime
} from "./options/speech/RealtimeOption.js"
export type { RecordingCall, RecordingOption } from "./options/speech/RecordingOption.js"
export {
  cartesia,
  deepgram,
  elevenlabs,
  fasterWhisper,
  kokoro,
  piper,
  type ProvidedSpeech,
  sarvam,
  type SpeechProviderOptions,
  vosk
} from "./options/speech/SpeechProviders.js"
export { type ProvidedTurnModel, smartTurn, type SmartTurnOptions } from "./options/speech/TurnModelOption.js"
export {
  type Audio,
  espeak,
  type PlainTranscriber,
  type PlainVoice,
  type ProvidedDetector,
  type ProvidedTranscriber,
  type ProvidedVoice,
  silero,
  type SileroOptions,
  type StreamingDialect,
  streamingTranscriber,
  type StreamingTranscriberOptions,
  type TranscriberOption,
  transcriberServer,
  type TranscriberServerOptions,
  type UtteranceRequest,
  type Voice,
  type VoiceDialect,
  voiceServer,
  type VoiceServerOptions
} from "./options/speech/VoiceOptions.js"
export type { OutputOf, SchemaIssue, SchemaResult, StandardSchema } from "./options/ToolSchema.js"
export {
  defineConfig,
  type EngineFault,
  type PriceOption,
  type Role,
  type TrunklineOptions
} from "./options/TrunklineOptions.js"
export type {
  AccessMethods,
  ApiKeyRecord,
  ChosenKey,
  KeyOptions,
  KeyRights,
  OfAccount,
  Plan,
  UsageRecord
} from "./promises/AccessTypes.js"
export type { Calls, Live, NewBrowserCall, NewCall, StartedCall } from "./promises/CallTypes.js"
export type {
  BackupReport,
  DataMethods,
  ErasureReceipt,
  RetentionCounts,
  RetentionDays,
  RetentionMethods
} from "./promises/DataTypes.js"
export type {
  CallReplay,
  ReplayDifference,
  ReplayedCall,
  ReplayedCalls,
  ReplayedTool,
  ReplayOptions,
  Replays,
  ReplaySummary,
  SkippedReplay,
  ToolMocks
} from "./promises/replays/ReplayTypes.js"
export type { Caller, IncomingCall, SimulatedCallIn, Simulator } from "./promises/SimulatorTypes.js"
export {
  verifyWebhook,
  type WebhookBody,
  type WebhookHeaders,
  WebhookRejected,
  type WebhookRejection
} from "./promises/VerifyWebhook.js"
export type { ByteStream, CallOptions, ChatChunk, EventStream, PagePromise, ResponseEvent } from "./Results.js"
export type {
  DrainOptions,
  ExpressMiddleware,
  FetchRoute,
  FetchRoutes,
  HandlerOptions,
  NodeListener,
  Readiness,
  ReadinessCheck,
  Trunkline,
  TrunklineEffect,
  TrunklineServer
} from "./TrunklineTypes.js"
