import { type CampaignId, Processes, retryForever } from "@trunkline/kernel"
import { Context, type Duration, Effect, FiberMap, Layer, Queue, type Scope } from "effect"
import { CampaignSignals } from "../campaign/CampaignSignals.js"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { type CampaignTurn, CampaignTurns } from "./CampaignTurns.js"
import { CampaignWorker } from "./CampaignWorker.js"

/**
 * Fault points of campaigns, at which tests crash the engine: after a claim, an enrolment, the withdrawal of an attempt
 * that was not dialled, and the end of an attempt.
 */
export const campaignFaults = ["claim.kept", "enrol.kept", "withdraw.kept", "finish.kept"] as const

/**
 * Runs the campaigns that are not over, each in its own worker fiber. Where processes share the stores, each campaign has
 * its worker in one of them at a time.
 */
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
      const turns = yield* CampaignTurns
      const { pollEvery } = yield* Processes

      /** All workers of this process, with the signals that wake them. */
      const makeWorkers = Effect.map(FiberMap.make<CampaignId, void>(), (fibers) => {
        const signalsOf = new Map<CampaignId, Queue.Queue<void>>()

        const start = (turn: CampaignTurn) =>
          Effect.gen(function*() {
            const { campaign_id } = turn
            const own = signalsOf.get(campaign_id) ?? (yield* Queue.sliding<void>(1))
            signalsOf.set(campaign_id, own)
            yield* Queue.offer(own, undefined)
            const work = Effect.ensuring(
              restartOnFailure(worker.run(turn, Queue.take(own))),
              Effect.sync(() => signalsOf.delete(campaign_id))
            )
            yield* FiberMap.run(fibers, campaign_id, work, { onlyIfMissing: true })
          })

        return {
          start,
          startAll: (turns: ReadonlyArray<CampaignTurn>) => Effect.forEach(turns, start, { discard: true }),
          has: (id: CampaignId) => signalsOf.has(id),
          /** Wakes all workers, for changes that other processes have made. */
          wakeAll: Effect.suspend(() =>
            Effect.forEach([...signalsOf.keys()], (id) => signals.cohortCompleted(id), { discard: true })
          )
        }
      })

      const runAll = Effect.gen(function*() {
        const signalled = yield* signals.subscribe
        const { start } = yield* makeWorkers
        for (const { campaign } of yield* store.open) yield* start(turnOf(campaign.campaign_id))
        return yield* Effect.forever(Effect.flatMap(Queue.take(signalled), (id) => start(turnOf(id))))
      })

      const runShared = (turns: CampaignTurns.Service): Effect.Effect<never, never, Scope.Scope> =>
        Effect.gen(function*() {
          const signalled = yield* signals.subscribe
          yield* Effect.addFinalizer(() => turns.endAll)
          const { has, start, startAll, wakeAll } = yield* makeWorkers
          const takeFree = Effect.flatMap(turns.takeFree, startAll)
          yield* takeFree
          const poll = Effect.zipRight(takeFree, wakeAll)
          const onSignal = Effect.flatMap(
            Queue.take(signalled),
            (id) => has(id) ? start(turnOf(id)) : takeFree
          )
          return yield* Effect.raceAll([
            repeatEvery(pollEvery, poll),
            repeatEvery(turns.handedEvery, Effect.flatMap(turns.takeHanded, startAll)),
            Effect.forever(onSignal)
          ])
        })

      return CampaignRunner.of({ run: Effect.scoped(turns === null ? runAll : runShared(turns)) })
    })
  )
}

const turnOf = (campaign_id: CampaignId): CampaignTurn => ({ campaign_id, pace: null })

const repeatEvery = (interval: Duration.Duration, effect: Effect.Effect<void>): Effect.Effect<never> =>
  Effect.forever(Effect.zipRight(Effect.sleep(interval), effect))

/** Restarts a worker that failed, for instance because of its store, after a pause. */
const restartOnFailure = retryForever({
  message: "The worker of a campaign failed and restarts shortly",
  initialDelay: "1 second",
  maxDelay: "1 minute"
})
