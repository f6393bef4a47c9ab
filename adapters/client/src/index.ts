export type { Calls, NewBrowserCall, NewCall, StartedCall } from "./Calls.js"
export { type ClientOptions, createClient, type TrunklineClient } from "./Client.js"
export type {
  AttemptDetail,
  BrowserCallToken,
  CallEnded,
  CampaignAttemptPayload,
  CampaignsCreateBody,
  CanaryEndedPayload,
  ChatChunk,
  InboundCallPayload,
  LiveEvent,
  OutboundCallPayload,
  ReportMessage,
  Resources,
  ResponseEvent,
  WebhookBody,
  WidgetsCreateBody
} from "./generated/Types.js"
export type { Live } from "./Live.js"
export type { ByteStream, CallOptions, EventStream, FileInput, PagePromise } from "./Results.js"
export type { Fetch } from "./Transport.js"
export { type FieldError, TrunklineError } from "./TrunklineError.js"
export { verifyWebhook, type WebhookHeaders, WebhookRejected, type WebhookRejection } from "./VerifyWebhook.js"
