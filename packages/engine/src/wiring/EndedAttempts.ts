import { AnalyticsOptions, CallAnalytics, hashContact } from "@trunkline/analytics"
import { Scope, unchecked } from "@trunkline/kernel"
import { type Attempt, AttemptListener, type AttemptResult } from "@trunkline/telephony"
import { FactsLog, Projector } from "@trunkline/warehouse"
import { newOutboxRow, Outbox, webhookBody, WebhookDelivery } from "@trunkline/webhooks"
import { Clock, Effect, Layer } from "effect"
import { toEndedCall, toTranscript } from "./Analytics.js"
import { type CallCost, toFact } from "./Facts.js"
import { toPayload } from "./Webhooks.js"

const scopeOf = ({ org_id, workspace_id }: Attempt) => new Scope({ org_id, workspace_id }, unchecked)

/** Options for the records of ended attempts. */
export interface EndedAttemptsOptions {
  /** Computes the cost of a call; null when it is unknown. By default every cost is unknown. */
  readonly callCost?: (attempt: Attempt) => CallCost | null
}

/** Records an ended attempt in its transaction: its analytics record, its fact for the boards, and its webhook. */
export const endedAttemptsLayer = ({ callCost = () => null }: EndedAttemptsOptions) =>
  Layer.effect(
    AttemptListener,
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const { contactSalt, exposeUserContact } = yield* AnalyticsOptions
      const facts = yield* FactsLog
      const projector = yield* Projector
      const outbox = yield* Outbox
      const delivery = yield* WebhookDelivery

      /** Computes the cost. A failing or invalid computation is logged and counts as unknown, so that the attempt can end. */
      const costOf = (attempt: Attempt) =>
        Effect.try(() => callCost(attempt)).pipe(
          Effect.filterOrFail((cost) => cost === null || (Number.isFinite(cost.amount) && cost.amount >= 0)),
          Effect.catchAll(() => Effect.as(Effect.logWarning("The cost of a call could not be computed"), null))
        )

      const appendFact = (attempt: Attempt, result: AttemptResult) =>
        Effect.gen(function*() {
          const user_contact_hashed = yield* hashContact(attempt.user_phone_number, contactSalt)
          const cost = yield* costOf(attempt)
          yield* facts.append(
            scopeOf(attempt),
            toFact(attempt, result, { user_contact_hashed, exposeUserContact, cost })
          )
        })

      const enqueueWebhook = (attempt: Attempt, result: AttemptResult) =>
        Effect.gen(function*() {
          const payload = toPayload(attempt, result)
          if (attempt.webhook === null || payload === null) return
          yield* outbox.enqueue(newOutboxRow({
            scope: scopeOf(attempt),
            campaign_id: attempt.campaign_id,
            deployment_id: attempt.deployment_id,
            attempt_id: attempt.attempt_id,
            url: attempt.webhook.url,
            secret: attempt.webhook.secret ?? null,
            body: webhookBody(payload),
            created_at: result.finished_at,
            now: yield* Clock.currentTimeMillis
          }))
        })

      return AttemptListener.of({
        ended: (attempt) =>
          attempt.result === null
            ? Effect.void
            : Effect.all([
              analytics.record(toEndedCall(attempt, attempt.result), toTranscript(attempt.result)),
              appendFact(attempt, attempt.result),
              enqueueWebhook(attempt, attempt.result)
            ], { discard: true }),
        committed: (attempt) => Effect.zipRight(delivery.nudge, projector.nudge(scopeOf(attempt)))
      })
    })
  )
