import { Bus, type CampaignId, Processes, retryForever } from "@trunkline/kernel"
import { Context, Effect, FiberMap, Layer, Queue, type Scope } from "effect"
import { CampaignSignals } from "../campaign/CampaignSignals.js"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { type CampaignTurn, CampaignTurns, turnTopic } from "./CampaignTurns.js"
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
      const bus = yield* Bus

      /** All workers of this process, with the signals that wake them. */
      const makeWorkers = Effect.map(FiberMap.make<CampaignId, void>(), (fibers) => {
        const signalsOf = new Map<CampaignId, Queue.Queue<void>>()

        const start = (turn: CampaignTurn) =>
          Effect.gen(function*() {
            const { campaign_id } = turn
            const signals = signalsOf.get(campaign_id) ?? (yield* Queue.sliding<void>(1))
            signalsOf.set(campaign_id, signals)
            yield* Queue.offer(signals, undefined)
            const work = Effect.ensuring(
              restartOnFailure(worker.run(turn, Queue.take(signals))),
              Effect.sync(() => signalsOf.delete(campaign_id))
            )
            yield* FiberMap.run(fibers, campaign_id, work, { onlyIfMissing: true })
          })

        return {
          start,
          startAll: (turns: ReadonlyArray<CampaignTurn>) => Effect.forEach(turns, start, { discard: true }),
          /** The campaigns whose workers are here. */
          running: (): ReadonlyArray<CampaignId> => [...signalsOf.keys()],
          /** Stops the worker of a campaign, if there is one; a dial that has begun is completed. */
          stop: (id: CampaignId) => FiberMap.remove(fibers, id)
        }
      })

      const runAll = Effect.gen(function*() {
        const signalQueue = yield* signals.subscribe
        const { start } = yield* makeWorkers
        for (const { campaign } of yield* store.open) yield* start(turnOf(campaign.campaign_id))
        return yield* Effect.forever(Effect.flatMap(Queue.take(signalQueue), (id) => start(turnOf(id))))
      })

      const runShared = (turns: CampaignTurns.Service): Effect.Effect<never, never, Scope.Scope> =>
        Effect.gen(function*() {
          const signalQueue = yield* signals.subscribe
          yield* Effect.addFinalizer(() => turns.endAll)
          const { running, start, startAll, stop } = yield* makeWorkers
          /** Takes free turns, and stops workers whose turn is another process's, as after a lost answer of the stores. */
          const takeFree = Effect.suspend(() => {
            const before = running()
            return Effect.flatMap(turns.takeFree, (turn) => {
              const ownedCampaignIds = new Set(turn.map(({ campaign_id }) => campaign_id))
              const strays = before.filter((id) => !ownedCampaignIds.has(id))
              return Effect.zipRight(Effect.forEach(strays, stop, { discard: true }), startAll(turn))
            })
          })
          yield* turns.begin
          yield* takeFree
          const poll = Effect.zipRight(
            takeFree,
            Effect.suspend(() => Effect.forEach(running(), signals.lookAgain, { discard: true }))
          )
          const onSignal = Effect.flatMap(
            Queue.take(signalQueue),
            (id) => running().includes(id) ? start(turnOf(id)) : takeFree
          )
          const takeHanded = Effect.flatMap(turns.takeTurns, startAll)
          const news = yield* bus.subscribe(turnTopic)
          const loops = [
            Effect.zipRight(Effect.sleep(pollEvery), poll),
            Effect.zipRight(Effect.raceFirst(Effect.sleep(turns.handedEvery), news), takeHanded),
            onSignal
          ]
          // Workers go on while turns cannot be looked at.
          yield* Effect.all(loops.map((loop) => retryLooking(Effect.forever(loop))), { concurrency: "unbounded" })
          return yield* Effect.never
        })

      return CampaignRunner.of({ run: Effect.scoped(turns === null ? runAll : runShared(turns)) })
    })
  )
}

const turnOf = (campaign_id: CampaignId): CampaignTurn => ({ campaign_id, pace: null })

/** Looks at turns again, for instance when their store is back. */
const retryLooking = retryForever({
  message: "The turns of campaigns could not be looked at",
  initialDelay: "250 millis",
  maxDelay: "5 seconds"
})

/** Restarts a worker that failed, for instance because of its store, after a pause. */
const restartOnFailure = retryForever({
  message: "The worker of a campaign failed and restarts shortly",
  initialDelay: "1 second",
  maxDelay: "1 minute"
})
