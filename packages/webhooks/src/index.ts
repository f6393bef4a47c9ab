export {
  DeliveriesPage,
  DeliveriesQuery,
  DeliveryCursor,
  DeliveryRecord,
  ResendWebhooks
} from "./control/DeliveryRecord.js"
export { WebhookDeliveries } from "./control/WebhookDeliveries.js"
export { RotatedSecret, RotateSecret, Webhooks } from "./control/Webhooks.js"
export { HttpSender, SendFailed } from "./delivery/HttpSender.js"
export { RetiredSecrets, RetiredSecretStore } from "./delivery/RetiredSecrets.js"
export { sign, type SignedMessage, verify, webhookHeaders } from "./delivery/Signature.js"
export { WebhookDelivery, type WebhookDeliveryOptions, webhookFaultPoints } from "./delivery/WebhookDelivery.js"
export { type OwnedWebhook, type WebhookOwner, WebhookOwners } from "./delivery/WebhookOwners.js"
export {
  type ClaimPlan,
  type DeliveryLimits,
  hasRoom,
  makeQuota,
  type Receiver,
  RunningTries
} from "./outbox/ClaimPlan.js"
export {
  delayAfter,
  endpointSignalOf,
  maxTries,
  outcomeOfTry,
  settlementOf,
  type TryOutcome,
  type TryResult
} from "./outbox/DeliverySchedule.js"
export {
  afterTry,
  breaker,
  disabledError,
  type EndpointHealth,
  type EndpointSignal,
  healthy,
  isPaused,
  overdueBefore,
  overdueError,
  pauseError,
  startProbe
} from "./outbox/EndpointHealth.js"
export { Outbox } from "./outbox/Outbox.js"
export {
  DeliveryStatus,
  deliveryStatus,
  newOutboxRow,
  OutboxRow,
  OutboxState,
  ownedEndpoint,
  webhookIdOf
} from "./outbox/OutboxRow.js"
export type {
  Claimed,
  ListedWebhook,
  OutboxBacklog,
  OutboxCounts,
  OutboxPosition,
  OutboxQuery,
  OutboxService
} from "./outbox/OutboxService.js"
export { canaryEndedBody, CanaryEndedPayload } from "./payload/CanaryEndedPayload.js"
export {
  CampaignAttemptPayload,
  InboundCallPayload,
  maxBodyBytes,
  OutboundCallPayload,
  TranscriptTurn,
  webhookBody,
  WebhookPayload
} from "./payload/WebhookPayload.js"
