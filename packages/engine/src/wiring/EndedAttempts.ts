import { AnalyticsOptions, CallAnalytics } from "@trunkline/analytics"
import { type AttemptId, Scope, unchecked } from "@trunkline/kernel"
import { type Attempt, AttemptListener, type AttemptResult } from "@trunkline/telephony"
import { FactsLog, Projector } from "@trunkline/warehouse"
import { newOutboxRow, Outbox, webhookBody, WebhookDelivery } from "@trunkline/webhooks"
import { Clock, Effect, Layer } from "effect"
import { toEndedCall, toTranscript } from "./Analytics.js"
import { type CallEnded, callEndedBody, plainCallEnded } from "./EndedCalls.js"
import { type CallCost, toFact } from "./Facts.js"
import { toPayload } from "./Webhooks.js"

const scopeOf = ({ org_id, workspace_id }: Attempt) => new Scope({ org_id, workspace_id }, unchecked)

/** Options for the records of ended attempts. */
export interface EndedAttemptsOptions {
  /** Computes the cost of a call; null when it is unknown. By default every cost is unknown. */
  readonly callCost?: (attempt: Attempt) => CallCost | null
  /**
   * Webhook that receives a `CallEnded` for every call of every workspace, with the retries of the webhooks of campaigns;
   * none by default.
   */
  readonly callEndedWebhook?: { readonly url: string; readonly secret: string | null }
  /** Called in this process after a call has ended and its result is stored; it must not throw. */
  readonly onCallEnded?: (call: () => typeof CallEnded.Encoded, id: AttemptId) => void
}

/** Records an ended attempt in its transaction: its analytics record, its fact for the boards, and its webhook. */
export const endedAttemptsLayer = (
  { callCost = () => null, callEndedWebhook, onCallEnded }: EndedAttemptsOptions
) =>
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

      const enqueueCallEnded = (attempt: Attempt, result: AttemptResult) =>
        Effect.gen(function*() {
          if (callEndedWebhook === undefined) return
          const row = newOutboxRow({
            scope: scopeOf(attempt),
            campaign_id: null,
            deployment_id: null,
            attempt_id: attempt.attempt_id,
            ...callEndedWebhook,
            body: callEndedBody(attempt, result),
            created_at: result.finished_at,
            now: yield* Clock.currentTimeMillis
          })
          yield* outbox.enqueue({ ...row, webhook_id: `end_${attempt.attempt_id}` })
        })

      const ended = (attempt: Attempt, result: AttemptResult) =>
        Effect.zipRight(
          record(attempt, result),
          Effect.zipRight(enqueueWebhook(attempt, result), enqueueCallEnded(attempt, result))
        )

      return AttemptListener.of({
        ended: (attempt) => attempt.result === null ? Effect.void : ended(attempt, attempt.result),
        committed: (attempt) =>
          Effect.zipRight(
            Effect.zipRight(delivery.nudge, projector.nudge(scopeOf(attempt))),
            Effect.sync(() => {
              const { attempt_id, result } = attempt
              if (result !== null) onCallEnded?.(() => plainCallEnded(attempt, result), attempt_id)
            })
          )
      })
    })
  )
