import {
  CampaignCalls,
  CampaignDialLimits,
  CampaignRunner,
  CampaignSignals,
  CampaignStore,
  CampaignWorker,
  Canaries,
  Dialler,
  DispatchStores,
  Enrolment,
  Gate,
  isFinalStatus,
  RingingCalls,
  type Roster
} from "@trunkline/campaigns"
import { BusinessTime } from "@trunkline/kernel"
import {
  AgentVersions,
  AttemptListener,
  Attempts,
  CallEvents,
  CallEventStore,
  type CallHandler,
  CallJournal,
  CallJournalStore,
  CallLimitsOption,
  Calls,
  CallSlots,
  type Carriers,
  type Connection,
  Connections,
  DialLease,
  LineHealth,
  type SlotResult
} from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import type { Journal } from "../../src/report/Journal.js"
import type { Tally } from "../../src/report/Tally.js"
import { CallsInProgress, transientAttempts } from "./CallsInProgress.js"
import {
  noBlockedNumbers,
  noopTransactions,
  rehearsalLiveCalls,
  sequentialIds,
  untrackedCalls
} from "./MinimalPorts.js"

/** Counts the results and forgets each ended call. */
const countingListener = (tally: Tally, journal: Journal) =>
  Layer.effect(
    AttemptListener,
    Effect.map(CallsInProgress, ({ calls }) =>
      AttemptListener.of({
        onEnd: () => Effect.void,
        onCommit: (attempts) =>
          Effect.suspend(() => {
            for (const attempt of attempts) {
              const call = calls.get(attempt.attempt_id)
              if (call !== undefined && attempt.result !== null) tally.ended(call, attempt.result)
              calls.delete(attempt.attempt_id)
            }
            return journal.isFull() ? journal.flush : Effect.void
          })
      }))
  )

/** The slots of the engine, with a record of the times when none was free. */
const countingSlots = (tally: Tally, options: { readonly maxConcurrentCalls?: number }) =>
  Layer.effect(
    CallSlots,
    Effect.map(CallSlots, (slots) =>
      CallSlots.of({
        ...slots,
        tryTake: (scope, connection, claimant) =>
          Effect.flatMap(
            slots.tryTake(scope, connection, claimant),
            (slot): Effect.Effect<SlotResult> =>
              slot.isTaken ? Effect.succeed(slot) : Effect.map(BusinessTime.now, (now) => {
                tally.noLine(now)
                return slot
              })
          )
      }))
  ).pipe(Layer.provide(CallSlots.layer(options)))

/** A campaign store that runs `onOver` when the campaign is over. */
const observedStore = (onOver: Effect.Effect<unknown>) =>
  Layer.effect(
    CampaignStore,
    Effect.map(CampaignStore, (store) =>
      CampaignStore.of({
        ...store,
        put: (scope, campaign) =>
          Effect.zipRight(store.put(scope, campaign), isFinalStatus(campaign.status) ? onOver : Effect.void)
      }))
  ).pipe(Layer.provide(CampaignStore.layerMemory))

/** Parts of the engine that a rehearsal supplies. */
export interface RehearsalParts {
  readonly tally: Tally
  readonly journal: Journal
  readonly connections: ReadonlyArray<Connection>
  readonly slots: { readonly maxConcurrentCalls?: number }
  readonly roster: Layer.Layer<Roster>
  readonly lines: Layer.Layer<Carriers | CallHandler, never, CallsInProgress>
  /** Runs once, when the campaign is over. */
  readonly onOver: Effect.Effect<unknown>
}

/**
 * Silence does not end calls, because the conversations of a rehearsal are silent waits.
 */
const unlimitedIdleTime = Layer.effect(
  CallLimitsOption,
  Effect.map(CallLimitsOption, (limits) => ({ ...limits, idleBudget: limits.maxDuration }))
)

/** The production campaign engine in memory, with simulated contacts and lines. */
export const rehearsalEngine = (
  { connections, journal, lines, onOver, roster, slots, tally }: RehearsalParts
) =>
  CampaignRunner.layer.pipe(
    Layer.provideMerge(CampaignWorker.layer),
    Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer)),
    Layer.provideMerge(CampaignCalls.layer),
    Layer.provideMerge(Canaries.layer),
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer, Gate.layer)),
    Layer.provideMerge(CallJournal.layer),
    Layer.provideMerge(Layer.mergeAll(lines, countingListener(tally, journal), unlimitedIdleTime)),
    Layer.provideMerge(Layer.mergeAll(transientAttempts, CallEvents.layer())),
    Layer.provideMerge(Layer.mergeAll(
      observedStore(onOver),
      DispatchStores.layerMemory,
      noBlockedNumbers,
      CallEventStore.layerMemory,
      CallJournalStore.layerMemory,
      noopTransactions,
      DialLease.layerMemory,
      AgentVersions.layerAny,
      Connections.layerOf(connections),
      countingSlots(tally, slots),
      LineHealth.layer(),
      rehearsalLiveCalls,
      untrackedCalls,
      CampaignSignals.layer,
      RingingCalls.layer,
      CampaignDialLimits.layer,
      CallsInProgress.layer,
      sequentialIds,
      roster
    ))
  )
