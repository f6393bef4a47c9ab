import { AfterCallJobs, AfterCalls } from "@trunkline/after-call"
import { AnalyticsOptions, CallAnalytics } from "@trunkline/analytics"
import { type AttemptId, type Scope, scopeKey } from "@trunkline/kernel"
import { type Attempt, AttemptListener, BlockedNumbersStore } from "@trunkline/telephony"
import { FactsLog, Projector, type ScopedFact } from "@trunkline/warehouse"
import { Outbox, WebhookDelivery } from "@trunkline/webhooks"
import { Clock, DateTime, Effect, Layer } from "effect"
import { makePlans, type PlannedAttempt } from "./AfterCallPlans.js"
import { toEndedCall, toModelInputs, toTranscript } from "./Analytics.js"
import { type CallEnded, plainCallEnded } from "./EndedCalls.js"
import { type CallEndedWebhook, type EndedAttempt, scopeOf, webhooksOf } from "./EndedWebhooks.js"
import { type CallCost, toFact } from "./Facts.js"

/** Longest reason of a blocked number, as for those that the HTTP interface takes, in UTF-16 units. */
const maxReasonLength = 150

const truncate = (reason: string): string =>
  reason.length <= maxReasonLength ? reason : `${reason.slice(0, maxReasonLength - 1)}…`

/** Options for the records of ended attempts. */
export interface EndedAttemptsOptions {
  /** Computes the cost of a call for boards; null, the default, for that of its ledger, if there is one. */
  readonly callCost?: (attempt: Attempt) => CallCost | null
  /**
   * Adds a caller who refuses all further calls ("don't call me again") to the do-not-call list of the workspace, in the
   * transaction that ends the attempt. True by default; the refusal is in the result of the attempt in either case.
   */
  readonly optOutBySpeech?: boolean
  /**
   * Webhook that receives a `CallEnded` for every call of every workspace, with the retries of the webhooks of campaigns;
   * none by default.
   */
  readonly callEndedWebhook?: CallEndedWebhook
  /** Called in this process after a call has ended and its result is stored; it must not throw. */
  readonly onCallEnded?: (call: () => typeof CallEnded.Encoded, id: AttemptId) => void
}

/**
 * Records an ended attempt in its transaction: its analytics record, its fact for the boards, its webhook, and the number of a
 * caller who has refused all further calls.
 */
export const endedAttemptsLayer = (
  { callCost = () => null, callEndedWebhook, onCallEnded, optOutBySpeech = true }: EndedAttemptsOptions
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
      const blockedNumbers = yield* BlockedNumbersStore
      const jobs = yield* AfterCallJobs
      const afterCalls = yield* AfterCalls
      const plan = yield* makePlans

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

      const record = (endedAttempts: ReadonlyArray<EndedAttempt>, inputs: ModelInputsById) =>
        Effect.gen(function*() {
          const records = yield* analytics.recordMany(
            endedAttempts.map(({ after, attempt, result }) => {
              const callInputs = inputs.get(attempt.attempt_id)
              return {
                call: toEndedCall(attempt, result, after),
                transcript: toTranscript(result),
                ...(callInputs !== undefined && { modelInputs: toModelInputs(callInputs) })
              }
            })
          )
          const addedFacts: Array<ScopedFact> = []
          for (const [index, { user_contact_hashed }] of records.entries()) {
            const one = endedAttempts[index]
            if (one === undefined) continue
            const { after, attempt, result } = one
            const cost = yield* costOf(attempt)
            const fact = toFact(attempt, result, { user_contact_hashed, exposeUserContact, cost, after })
            addedFacts.push({ scope: scopeOf(attempt), fact })
          }
          yield* facts.appendMany(addedFacts)
        })

      const enqueueWebhooks = (endedAttempts: ReadonlyArray<PlannedAttempt>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const rows = endedAttempts.flatMap((one) => webhooksOf(one, { now, wait: one.wait }, callEndedWebhook))
          return rows.length === 0 ? Effect.void : outbox.enqueueMany(rows)
        })

      const addJobs = (endedAttempts: ReadonlyArray<PlannedAttempt>) => {
        const newJobs = endedAttempts.flatMap(({ job }) => job ?? [])
        return newJobs.length === 0 ? Effect.void : jobs.insertMany(newJobs)
      }

      /** In the order of the numbers, so that transactions that share some of them cannot wait for each other in a circle. */
      const blockRefused = (endedAttempts: ReadonlyArray<EndedAttempt>) =>
        Effect.forEach(
          endedAttempts.filter(({ result }) => optOutBySpeech && result.opt_out !== undefined).toSorted((a, b) =>
            a.attempt.user_phone_number < b.attempt.user_phone_number ? -1 : 1
          ),
          ({ attempt, result }) =>
            blockedNumbers.add(scopeOf(attempt), [{
              phone_number: attempt.user_phone_number,
              reason: truncate(`Refused on a call: ${result.opt_out?.text}`),
              created_at: DateTime.unsafeMake(result.finished_at),
              created_by: `attempt ${attempt.attempt_id}`
            }]),
          { discard: true }
        )

      return AttemptListener.of({
        onEnd: (attempts, modelInputs) =>
          Effect.flatMap(plan(attempts), (endedAttempts) =>
            Effect.all([
              record(endedAttempts, modelInputs),
              enqueueWebhooks(endedAttempts),
              addJobs(endedAttempts),
              blockRefused(endedAttempts)
            ], {
              discard: true
            })),
        onCommit: (attempts) =>
          Effect.zipRight(
            Effect.all([delivery.nudge, afterCalls.nudge, ...Array.from(scopesOf(attempts), projector.nudge)], {
              discard: true
            }),
            Effect.sync(() => {
              if (onCallEnded === undefined) {
                return
              }
              for (const attempt of attempts) {
                const { attempt_id, result } = attempt
                if (result !== null) {
                  onCallEnded(() => plainCallEnded(attempt, result, null), attempt_id)
                }
              }
            })
          )
      })
    })
  )

type ModelInputsById = Parameters<typeof AttemptListener.Service["onEnd"]>[1]

/** The workspaces of some attempts, each once. */
const scopesOf = (attempts: ReadonlyArray<Attempt>): Iterable<Scope> =>
  new Map(attempts.map((attempt) => [scopeKey(attempt), scopeOf(attempt)])).values()
