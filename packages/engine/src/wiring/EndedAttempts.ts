import { AnalyticsOptions, CallAnalytics, hashContact } from "@trunkline/analytics"
import { Scope, trusted } from "@trunkline/kernel"
import { type Attempt, AttemptListener, type AttemptResult } from "@trunkline/telephony"
import { FactsLog, Projector } from "@trunkline/warehouse"
import { newOutboxRow, Outbox, webhookBody, WebhookDelivery } from "@trunkline/webhooks"
import { Clock, Effect, Layer } from "effect"
import { callOf, transcriptOf } from "./CallOf.js"
import { type CallCost, factOf } from "./FactOf.js"
import { payloadOf } from "./PayloadOf.js"

const scopeOf = ({ org_id, workspace_id }: Attempt) => new Scope({ org_id, workspace_id }, trusted)

/** How ended attempts are written down. */
export interface EndedAttemptsOptions {
  /** What a call costs; null where that is not known. Nothing costs anything, unless given. */
  readonly callCost?: (attempt: Attempt) => CallCost | null
}

/**
 * What the end of an attempt brings about, in the same transaction: its record for analytics, its fact for the boards,
 * and its webhook.
 */
export const endedAttempts = ({ callCost = () => null }: EndedAttemptsOptions) =>
  Layer.effect(
    AttemptListener,
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const { contactSalt, exposeUserContact } = yield* AnalyticsOptions
      const facts = yield* FactsLog
      const projector = yield* Projector
      const outbox = yield* Outbox
      const delivery = yield* WebhookDelivery

      /** An end is never held up by a price: one that makes no sense is logged, and not known. */
      const costOf = (attempt: Attempt) =>
        Effect.try(() => callCost(attempt)).pipe(
          Effect.filterOrFail((cost) => cost === null || (Number.isFinite(cost.amount) && cost.amount >= 0)),
          Effect.catchAll(() => Effect.as(Effect.logWarning("The cost of a call could not be told"), null))
        )

      const log = (attempt: Attempt, result: AttemptResult) =>
        Effect.gen(function*() {
          const user_contact_hashed = yield* hashContact(attempt.user_phone_number, contactSalt)
          const cost = yield* costOf(attempt)
          yield* facts.append(
            scopeOf(attempt),
            factOf(attempt, result, { user_contact_hashed, exposeUserContact, cost })
          )
        })

      const announce = (attempt: Attempt, result: AttemptResult) =>
        Effect.gen(function*() {
          const payload = payloadOf(attempt, result)
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
              analytics.record(callOf(attempt, attempt.result), transcriptOf(attempt.result)),
              log(attempt, attempt.result),
              announce(attempt, attempt.result)
            ], { discard: true }),
        kept: (attempt) => Effect.zipRight(delivery.nudge, projector.nudge(scopeOf(attempt)))
      })
    })
  )
