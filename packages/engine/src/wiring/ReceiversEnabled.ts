import { WebhookConfigured } from "@trunkline/kernel"
import { Outbox } from "@trunkline/webhooks"
import { Effect, Layer } from "effect"

/** A `webhook_config` that is written enables its receiver again, in case it had been disabled. */
export const receiversEnabled = Layer.effect(
  WebhookConfigured,
  Effect.map(Outbox, ({ enable }) => ({ configured: enable }))
)
