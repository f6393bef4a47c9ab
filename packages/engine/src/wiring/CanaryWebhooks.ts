import { canaryEndedOf, CanaryListener, type EndedCanary } from "@trunkline/campaigns"
import { Ids } from "@trunkline/kernel"
import { canaryEndedBody, newOutboxRow, Outbox, WebhookDelivery } from "@trunkline/webhooks"
import { Clock, Effect, Layer } from "effect"

/**
 * Sends the webhook of a campaign when its canary ends. It is enqueued in the transaction that ends the canary. It belongs to no
 * attempt, so that its `attempt_id` in the outbox is an id of its own, by which it is listed and resent like the others.
 */
export const canaryWebhooksLayer = Layer.effect(
  CanaryListener,
  Effect.gen(function*() {
    const outbox = yield* Outbox
    const delivery = yield* WebhookDelivery
    const ids = yield* Ids

    const enqueue = (endedCanary: EndedCanary) =>
      Effect.gen(function*() {
        const { campaign: { app_config: { webhook_config }, campaign_id }, canary, scope } = endedCanary
        if (webhook_config === null) return
        const { metadata = null, secret = null, url } = webhook_config
        yield* outbox.enqueueMany([newOutboxRow({
          scope,
          campaign_id,
          deployment_id: null,
          attempt_id: yield* ids.attemptId,
          url,
          secret,
          body: canaryEndedBody({ ...canaryEndedOf(endedCanary), metadata }),
          created_at: canary.ended_at.epochMillis,
          now: yield* Clock.currentTimeMillis
        })])
      })

    const listener: CanaryListener.Service = { onEnd: enqueue, onCommit: delivery.nudge }
    return listener
  })
)
