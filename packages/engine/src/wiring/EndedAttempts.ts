import { AnalyticsOptions, CallAnalytics } from "@trunkline/analytics"
import { type AttemptId, Scope, scopeKey, unchecked } from "@trunkline/kernel"
import { type Attempt, AttemptListener, type AttemptResult } from "@trunkline/telephony"
import { FactsLog, Projector, type ScopedFact } from "@trunkline/warehouse"
import { newOutboxRow, Outbox, type OutboxRow, webhookBody, WebhookDelivery } from "@trunkline/webhooks"
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

      const record = (ended: ReadonlyArray<EndedAttempt>) =>
        Effect.gen(function*() {
          const records = yield* analytics.recordMany(
            ended.map(({ attempt, result }) => ({
              call: toEndedCall(attempt, result),
              transcript: toTranscript(result)
            }))
          )
          const added: Array<ScopedFact> = []
          for (const [index, { user_contact_hashed }] of records.entries()) {
            const one = ended[index]
            if (one === undefined) continue
            const { attempt, result } = one
            const cost = yield* costOf(attempt)
            const fact = toFact(attempt, result, { user_contact_hashed, exposeUserContact, cost })
            added.push({ scope: scopeOf(attempt), fact })
          }
          yield* facts.appendMany(added)
        })

      const webhookOf = ({ attempt, result }: EndedAttempt, now: number): ReadonlyArray<OutboxRow> => {
        const payload = toPayload(attempt, result)
        if (attempt.webhook === null || payload === null) return []
        return [newOutboxRow({
          scope: scopeOf(attempt),
          campaign_id: attempt.campaign_id,
          deployment_id: attempt.deployment_id,
          attempt_id: attempt.attempt_id,
          url: attempt.webhook.url,
          secret: attempt.webhook.secret ?? null,
          body: webhookBody(payload),
          created_at: result.finished_at,
          now
        })]
      }

      const callEndedOf = ({ attempt, result }: EndedAttempt, now: number): ReadonlyArray<OutboxRow> => {
        if (callEndedWebhook === undefined) return []
        const row = newOutboxRow({
          scope: scopeOf(attempt),
          campaign_id: null,
          deployment_id: null,
          attempt_id: attempt.attempt_id,
          ...callEndedWebhook,
          body: callEndedBody(attempt, result),
          created_at: result.finished_at,
          now
        })
        return [{ ...row, webhook_id: `end_${attempt.attempt_id}` }]
      }

      const enqueueWebhooks = (ended: ReadonlyArray<EndedAttempt>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const rows = ended.flatMap((one) => [...webhookOf(one, now), ...callEndedOf(one, now)])
          return rows.length === 0 ? Effect.void : outbox.enqueueMany(rows)
        })

      return AttemptListener.of({
        ended: (attempts) => {
          const ended = attempts.flatMap((attempt) =>
            attempt.result === null ? [] : [{ attempt, result: attempt.result }]
          )
          return Effect.zipRight(record(ended), enqueueWebhooks(ended))
        },
        committed: (attempts) =>
          Effect.zipRight(
            Effect.zipRight(delivery.nudge, Effect.forEach(scopesOf(attempts), projector.nudge, { discard: true })),
            Effect.sync(() => {
              if (onCallEnded === undefined) return
              for (const attempt of attempts) {
                const { attempt_id, result } = attempt
                if (result !== null) onCallEnded(() => plainCallEnded(attempt, result), attempt_id)
              }
            })
          )
      })
    })
  )

/** An attempt with its result. */
interface EndedAttempt {
  readonly attempt: Attempt
  readonly result: AttemptResult
}

/** The workspaces of some attempts, each once. */
const scopesOf = (attempts: ReadonlyArray<Attempt>): Iterable<Scope> =>
  new Map(attempts.map((attempt) => [scopeKey(attempt), scopeOf(attempt)])).values()
