import { type CampaignId, steadily } from "@trunkline/kernel"
import { Context, Effect, FiberMap, Layer, Queue } from "effect"
import { CampaignBell } from "../campaign/CampaignBell.js"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { CampaignWorker } from "./CampaignWorker.js"

/** Runs every campaign that is not over, each in a worker of its own. */
export class CampaignRunner extends Context.Tag("@trunkline/campaigns/CampaignRunner")<CampaignRunner, {
  /** Runs until interrupted; calls that are going on then go on. */
  readonly run: Effect.Effect<never>
}>() {
  static readonly layer = Layer.effect(
    CampaignRunner,
    Effect.gen(function*() {
      const store = yield* CampaignStore
      const bell = yield* CampaignBell
      const worker = yield* CampaignWorker
      return CampaignRunner.of({
        run: Effect.scoped(Effect.gen(function*() {
          const heard = yield* bell.heard
          const workers = yield* FiberMap.make<CampaignId, void>()
          const bells = new Map<CampaignId, Queue.Queue<void>>()

          const wake = (id: CampaignId) =>
            Effect.gen(function*() {
              const own = bells.get(id) ?? (yield* Queue.sliding<void>(1))
              bells.set(id, own)
              yield* Queue.offer(own, undefined)
              const work = Effect.ensuring(
                onwards(worker.run(id, Queue.take(own))),
                Effect.sync(() => bells.delete(id))
              )
              yield* FiberMap.run(workers, id, work, { onlyIfMissing: true })
            })

          for (const { campaign } of yield* store.open) yield* wake(campaign.campaign_id)
          return yield* Effect.forever(Effect.flatMap(Queue.take(heard), wake))
        }))
      })
    })
  )
}

/** A worker that stumbles (over a store that fails) goes on after a pause. */
const onwards = steadily({
  message: "A campaign stumbled and goes on in a moment",
  first: "1 second",
  longest: "1 minute"
})
