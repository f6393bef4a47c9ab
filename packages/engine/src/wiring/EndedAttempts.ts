import { AnalyticsOptions, CallAnalytics } from "@trunkline/analytics"
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
      const { exposeUserContact } = yield* AnalyticsOptions
      const facts = yield* FactsLog
      const projector = yield* Projector
      const outbox = yield* Outbox
      const delivery = yield* WebhookDelivery

      /** Computes the cost; undefined when the computation fails or its result is invalid. */
      const tryCost = (attempt: Attempt): CallCost | null | undefined => {
        try {
          const cost = callCost(attempt)
          return cost === null || (Number.isFinite(cost.amount) && cost.amount >= 0) ? cost : undefined
        } catch {
          return undefined
        }
      }

      /** The cost. A failed computation is logged and counts as unknown, so that the attempt can end. */
      const costOf = (attempt: Attempt) => {
        const cost = tryCost(attempt)
        return cost === undefined
          ? Effect.as(Effect.logWarning("The cost of a call could not be computed"), null)
          : Effect.succeed(cost)
      }

      const record = (attempt: Attempt, result: AttemptResult) =>
        Effect.gen(function*() {
          const { user_contact_hashed } = yield* analytics.record(toEndedCall(attempt, result), toTranscript(result))
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
            : Effect.zipRight(record(attempt, attempt.result), enqueueWebhook(attempt, attempt.result)),
        committed: (attempt) => Effect.zipRight(delivery.nudge, projector.nudge(scopeOf(attempt)))
      })
    })
  )
