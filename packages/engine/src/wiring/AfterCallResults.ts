import { AfterCallListener, type AfterCallOptions, AfterCalls, type FinishedAfterCall } from "@trunkline/after-call"
import { CallAnalytics } from "@trunkline/analytics"
import { Tenants } from "@trunkline/conversation"
import { FactRevisions, Projector } from "@trunkline/warehouse"
import { Outbox, WebhookDelivery } from "@trunkline/webhooks"
import { Clock, Effect, Layer } from "effect"
import type { Role } from "../Roles.js"
import { CallCosts } from "./CallCosts.js"
import { tenantsLayer } from "./CallPorts.js"
import { type CallEndedWebhook, scopeOf, webhooksOf, withResultsAgain } from "./EndedWebhooks.js"
import { relayedAfterCalls } from "./Relays.js"

/** Options of the results of the work after calls. */
export interface AfterCallResultsOptions {
  readonly callEndedWebhook?: CallEndedWebhook
}

/**
 * Stores what was found out about a call after its end: in its record, in its fact for the boards, and in its webhook while that
 * waits. Nothing is written over: neither the result of the attempt, nor what the call itself has set.
 */
const afterCallResultsLayer = ({ callEndedWebhook }: AfterCallResultsOptions) =>
  Layer.effect(
    AfterCallListener,
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const facts = yield* FactRevisions
      const projector = yield* Projector
      const outbox = yield* Outbox
      const delivery = yield* WebhookDelivery

      /** Adds the results to the fact; an attempt without one has nothing to add to. */
      const revise = ({ after: { extraction, output_variables, summary }, attempt }: FinishedAfterCall) =>
        Effect.ignore(facts.revise(scopeOf(attempt), attempt.attempt_id, {
          summary,
          output_variables,
          extraction_status: extraction?.status ?? null
        }))

      /** Completes webhooks that wait; others are late, and are sent again where the agent wants it. */
      const complete = ({ after, attempt, result, sendAgain }: FinishedAfterCall) =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const rows = webhooksOf({ attempt, result, after }, { now, wait: 0 }, callEndedWebhook)
          const late = yield* Effect.filter(
            rows,
            ({ body, webhook_id }) => Effect.map(outbox.completeBody({ webhook_id, body, now }), (isDone) => !isDone)
          )
          if (sendAgain && late.length > 0) yield* outbox.enqueueMany(late.map(withResultsAgain))
        })

      return AfterCallListener.of({
        finished: (finishedAfterCall) =>
          Effect.gen(function*() {
            const { after, attempt } = finishedAfterCall
            const isKept = yield* analytics.evaluate(scopeOf(attempt), attempt.attempt_id, after)
            // After an erasure, nothing is stored again.
            if (isKept) yield* Effect.all([revise(finishedAfterCall), complete(finishedAfterCall)], { discard: true })
          }),
        committed: ({ attempt }) => Effect.zipRight(delivery.nudge, projector.nudge(scopeOf(attempt)))
      })
    })
  )

/** The work after calls, on behalf of the tenants of their workspaces and at their costs, and the storage of its results. */
export const afterCallServices = (
  { afterCalls = {}, ...options }: AfterCallResultsOptions & {
    readonly afterCalls?: Pick<AfterCallOptions, "concurrency">
  },
  roles: ReadonlyArray<Role>
) =>
  relayedAfterCalls(roles).pipe(
    Layer.provide(
      Layer.unwrapEffect(
        Effect.map(
          Effect.all([Tenants, CallCosts]),
          ([{ of }, { count }]) => AfterCalls.layer({ ...afterCalls, tenantOf: of, counted: count })
        )
      )
    ),
    Layer.provide([tenantsLayer, afterCallResultsLayer(options)])
  )
