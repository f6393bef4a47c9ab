import { CallAnalytics } from "@trunkline/analytics"
import { Scope, trusted } from "@trunkline/kernel"
import { type Attempt, AttemptListener, type AttemptResult } from "@trunkline/telephony"
import { newOutboxRow, Outbox, webhookBody, WebhookDelivery } from "@trunkline/webhooks"
import { Effect, Layer } from "effect"
import { callOf, transcriptOf } from "./CallOf.js"
import { payloadOf } from "./PayloadOf.js"

/** What the end of an attempt brings about, in the same transaction: its record for analytics, and its webhook. */
export const endedAttempts = Layer.effect(
  AttemptListener,
  Effect.gen(function*() {
    const analytics = yield* CallAnalytics
    const outbox = yield* Outbox
    const delivery = yield* WebhookDelivery

    const announce = (attempt: Attempt, result: AttemptResult) =>
      Effect.suspend(() => {
        const payload = payloadOf(attempt, result)
        if (attempt.webhook === null || payload === null) return Effect.void
        return outbox.enqueue(newOutboxRow({
          scope: new Scope({ org_id: attempt.org_id, workspace_id: attempt.workspace_id }, trusted),
          campaign_id: attempt.campaign_id,
          attempt_id: attempt.attempt_id,
          url: attempt.webhook.url,
          secret: attempt.webhook.secret ?? null,
          body: webhookBody(payload),
          created_at: result.finished_at
        }))
      })

    return AttemptListener.of({
      ended: (attempt) =>
        attempt.result === null
          ? Effect.void
          : Effect.zipRight(
            analytics.record(callOf(attempt, attempt.result), transcriptOf(attempt.result)),
            announce(attempt, attempt.result)
          ),
      kept: delivery.nudge
    })
  })
)
