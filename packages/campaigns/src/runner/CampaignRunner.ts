import { type CampaignId, retryForever } from "@trunkline/kernel"
import { Context, Effect, FiberMap, Layer, Queue } from "effect"
import { CampaignSignals } from "../campaign/CampaignSignals.js"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { CampaignWorker } from "./CampaignWorker.js"

/**
 * Fault points of campaigns, at which tests crash the engine: after a claim, an enrolment, the withdrawal of an attempt
 * that was not dialled, and the end of an attempt.
 */
export const campaignFaults = ["claim.kept", "enrol.kept", "withdraw.kept", "finish.kept"] as const

/** Runs all campaigns that are not over, each in its own worker fiber. */
export class CampaignRunner extends Context.Tag("@trunkline/campaigns/CampaignRunner")<CampaignRunner, {
  /** Runs until it is interrupted; calls in progress continue then. */
  readonly run: Effect.Effect<never>
}>() {
  static readonly layer = Layer.effect(
    CampaignRunner,
    Effect.gen(function*() {
      const store = yield* CampaignStore
      const signals = yield* CampaignSignals
      const worker = yield* CampaignWorker
      return CampaignRunner.of({
        run: Effect.scoped(Effect.gen(function*() {
          const signalled = yield* signals.subscribe
          const workers = yield* FiberMap.make<CampaignId, void>()
          const signalsOf = new Map<CampaignId, Queue.Queue<void>>()

          const wake = (id: CampaignId) =>
            Effect.gen(function*() {
              const own = signalsOf.get(id) ?? (yield* Queue.sliding<void>(1))
              signalsOf.set(id, own)
              yield* Queue.offer(own, undefined)
              const work = Effect.ensuring(
                restartOnFailure(worker.run(id, Queue.take(own))),
                Effect.sync(() => signalsOf.delete(id))
              )
              yield* FiberMap.run(workers, id, work, { onlyIfMissing: true })
            })

          for (const { campaign } of yield* store.open) yield* wake(campaign.campaign_id)
          return yield* Effect.forever(Effect.flatMap(Queue.take(signalled), wake))
        }))
      })
    })
  )
}

/** Restarts a worker that failed, for instance because of its store, after a pause. */
const restartOnFailure = retryForever({
  message: "The worker of a campaign failed and restarts shortly",
  initialDelay: "1 second",
  maxDelay: "1 minute"
})
