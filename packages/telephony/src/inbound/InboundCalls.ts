import { BusinessTime, describeCause, Ids, withSpan } from "@trunkline/kernel"
import { Cause, Context, Effect, Layer, Stream } from "effect"
import { Attempts } from "../attempts/Attempts.js"
import { AttemptStore } from "../attempts/AttemptStore.js"
import { Attempt } from "../call/Attempt.js"
import { countRefusal } from "../call/CallMeters.js"
import { notConnected } from "../call/CallOutcome.js"
import { CallLimitsOption, withRingTimeout } from "../calls/CallLimits.js"
import { Calls } from "../calls/Calls.js"
import { LiveCalls } from "../calls/LiveCalls.js"
import { type Carrier, Carriers, type InboundOffer } from "../carriers/Carrier.js"
import { type InboundRoute, InboundRouter } from "../deployments/InboundRouter.js"
import { CallSlots } from "../lines/CallSlots.js"
import { attemptStarted } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"

/** Answers incoming calls on every carrier. */
export class InboundCalls extends Context.Tag("@trunkline/telephony/InboundCalls")<InboundCalls, {
  /** Runs until interrupted. */
  readonly run: Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    InboundCalls,
    Effect.gen(function*() {
      const carriers = yield* Carriers
      const router = yield* InboundRouter
      const slots = yield* CallSlots
      const live = yield* LiveCalls
      const calls = yield* Calls
      const store = yield* AttemptStore
      const attempts = yield* Attempts
      const ids = yield* Ids
      const feed = yield* LiveFeed
      const limits = yield* CallLimitsOption

      const record = (carrier: Carrier, offer: InboundOffer, decision: DeploymentRoute) =>
        Effect.gen(function*() {
          const attempt = new Attempt({
            attempt_id: yield* ids.attemptId,
            org_id: decision.scope.org_id,
            workspace_id: decision.scope.workspace_id,
            kind: "inbound",
            app_id: decision.deployment.app_id,
            app_version: decision.deployment.app_version,
            campaign_id: null,
            cohort_id: decision.accept ? decision.cohort_id : null,
            deployment_id: decision.deployment.deployment_id,
            connection_id: offer.connection.connection_id,
            channel_provider: carrier.provider,
            channel_protocol: carrier.protocol,
            user_identifier: (decision.accept ? decision.user_identifier : null) ?? offer.from,
            user_phone_number: offer.from,
            agent_phone_number: offer.to,
            retry_attempt: 0,
            agent_variables: decision.accept ? decision.agent_variables : {},
            app_overrides: decision.accept ? decision.app_overrides : {},
            webhook: decision.deployment.webhook_config,
            attempted_at: yield* BusinessTime.now,
            state: "accepted",
            provider_call_id: offer.provider_call_id,
            result: null
          })
          yield* store.insertMany([attempt])
          yield* feed.publish(attempt, () => attemptStarted(attempt, attempt.attempted_at))
          if (offer.onRecord !== undefined) yield* offer.onRecord(attempt.attempt_id)
          return attempt
        })

      const reject = (
        carrier: Carrier,
        offer: InboundOffer,
        decision: DeploymentRoute,
        reason: string,
        limit?: string
      ) =>
        Effect.gen(function*() {
          const attempt = yield* record(carrier, offer, decision)
          yield* offer.reject(reason)
          const outcome = notConnected("failed", limit === undefined ? reason : `${reason}: ${limit}`)
          yield* attempts.end({ attempt_id: attempt.attempt_id, outcome })
        })

      const talk = (carrier: Carrier, offer: InboundOffer, decision: DeploymentRoute) =>
        Effect.gen(function*() {
          const attempt = yield* record(carrier, offer, decision)
          const outcome = yield* withRingTimeout(limits.ringTimeout, offer.accept).pipe(
            Effect.flatMap((leg) => calls.converse(leg, attempt)),
            Effect.catchAll((failure) => Effect.succeed(notConnected(failure.status, failure.reason))),
            Effect.catchAllDefect((defect) =>
              Effect.logError("An inbound call failed unexpectedly", describeCause(Cause.die(defect))).pipe(
                Effect.zipRight(offer.reject("internal")),
                Effect.as(notConnected("internal", "internal: the call failed unexpectedly"))
              )
            )
          )
          yield* attempts.end({ attempt_id: attempt.attempt_id, outcome })
        })

      const route = (carrier: Carrier, offer: InboundOffer) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const decision = yield* router.route({ agent_phone_number: offer.to, user_phone_number: offer.from })
            if (!decision.accept) {
              countRefusal(decision.reason)
              return yield* decision.reason === "no_deployment"
                ? offer.reject(decision.reason)
                : reject(carrier, offer, decision, decision.reason)
            }
            const slot = yield* slots.tryTake(decision.scope, offer.connection, { _tag: "Inbound" })
            if (!slot.isTaken) {
              countRefusal("no_capacity")
              return yield* reject(carrier, offer, decision, "no_capacity", slot.limit)
            }
            yield* Effect.ensuring(restore(talk(carrier, offer, decision)), slot.release)
          })
        )

      /** Rejects the call on a defect so that the caller is not left ringing. */
      const answer = (carrier: Carrier, offer: InboundOffer) =>
        Effect.catchAllDefect(route(carrier, offer), (defect) =>
          Effect.zipRight(
            Effect.logError("An inbound call could not be answered", describeCause(Cause.die(defect))),
            Effect.suspend(() => {
              countRefusal("internal")
              return offer.reject("internal")
            })
          )).pipe(withSpan("InboundCalls.answer"))

      return InboundCalls.of({
        run: Effect.forEach(
          carriers.list,
          (carrier) =>
            Stream.runForEach(
              carrier.offers,
              (offer) =>
                Effect.flatMap(live.start(answer(carrier, offer)), (isStarted) => {
                  if (isStarted) return Effect.void
                  countRefusal("no_capacity")
                  return offer.reject("no_capacity")
                })
            ),
          { concurrency: "unbounded", discard: true }
        )
      })
    })
  )
}

type DeploymentRoute = Exclude<InboundRoute, { readonly reason: "no_deployment" }>
