import {
  CampaignBell,
  CampaignCalls,
  CampaignRunner,
  CampaignStore,
  CampaignWorker,
  Dialler,
  DispatchStore,
  Enrolment,
  Gate,
  Holds,
  isOver,
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
  CallLimitsOption,
  Calls,
  CallSlots,
  type Carriers,
  type Connection,
  Connections,
  DialLease,
  LineHealth,
  type SlotAnswer
} from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import type { Journal } from "../report/Journal.js"
import type { Tally } from "../report/Tally.js"
import { CallBook } from "./CallBook.js"
import { forgetfulAttempts } from "./ForgetfulAttempts.js"
import { countingIds, nobodyBlocked, plainTransactions, rehearsedCalls, uncountedCalls } from "./LeanPorts.js"

/** Counts the results, and closes the book on each call. */
const countingListener = (tally: Tally, journal: Journal, onEnded: () => Effect.Effect<void>) =>
  Layer.effect(
    AttemptListener,
    Effect.map(CallBook, ({ calls }) =>
      AttemptListener.of({
        ended: () => Effect.void,
        kept: (attempt) =>
          Effect.suspend(() => {
            tally.ended(attempt, calls.get(attempt.attempt_id))
            calls.delete(attempt.attempt_id)
            return journal.isFull() ? Effect.zipRight(journal.relieve, onEnded()) : onEnded()
          })
      }))
  )

/** Lines as the server has them, that tell when none was free. */
const countingSlots = (tally: Tally, options: { readonly maxConcurrentCalls?: number }) =>
  Layer.effect(
    CallSlots,
    Effect.map(CallSlots, (slots) =>
      CallSlots.of({
        ...slots,
        tryTake: (scope, connection, claimant) =>
          Effect.flatMap(
            slots.tryTake(scope, connection, claimant),
            (slot): Effect.Effect<SlotAnswer> =>
              slot.taken ? Effect.succeed(slot) : Effect.map(BusinessTime.now, (now) => {
                tally.noLine(now)
                return slot
              })
          )
      }))
  ).pipe(Layer.provide(CallSlots.layer(options)))

/** A store that tells when the campaign is over. */
const watchedStore = (onOver: Effect.Effect<unknown>) =>
  Layer.effect(
    CampaignStore,
    Effect.map(CampaignStore, (store) =>
      CampaignStore.of({
        ...store,
        put: (scope, campaign) =>
          Effect.zipRight(store.put(scope, campaign), isOver(campaign.status) ? onOver : Effect.void)
      }))
  ).pipe(Layer.provide(CampaignStore.layerMemory))

/** What a rehearsal gives to the engine. */
export interface RehearsalParts {
  readonly tally: Tally
  readonly journal: Journal
  readonly connections: ReadonlyArray<Connection>
  readonly slots: { readonly maxConcurrentCalls?: number }
  readonly roster: Layer.Layer<Roster>
  readonly lines: Layer.Layer<Carriers | CallHandler, never, CallBook>
  /** Run once, when the campaign is over. */
  readonly onOver: Effect.Effect<unknown>
  /** Run whenever the result of a call is in. */
  readonly onEnded: () => Effect.Effect<void>
}

/**
 * Conversations here are waits, in which nothing is said: only their length ends them.
 */
const patientLimits = Layer.effect(
  CallLimitsOption,
  Effect.map(CallLimitsOption, (limits) => ({ ...limits, idleBudget: limits.maxDuration }))
)

/** The campaign engine as servers run it, in memory, over rehearsed people and lines. */
export const rehearsalEngine = (
  { connections, journal, lines, onEnded, onOver, roster, slots, tally }: RehearsalParts
) =>
  CampaignRunner.layer.pipe(
    Layer.provideMerge(CampaignWorker.layer),
    Layer.provideMerge(Layer.mergeAll(Dialler.layer, Enrolment.layer)),
    Layer.provideMerge(CampaignCalls.layer),
    Layer.provideMerge(Layer.mergeAll(Attempts.layer, Calls.layer, Gate.layer)),
    Layer.provideMerge(Layer.mergeAll(lines, countingListener(tally, journal, onEnded), patientLimits)),
    Layer.provideMerge(Layer.mergeAll(forgetfulAttempts, CallEvents.layer())),
    Layer.provideMerge(Layer.mergeAll(
      watchedStore(onOver),
      DispatchStore.layerMemory,
      nobodyBlocked,
      CallEventStore.layerMemory,
      plainTransactions,
      DialLease.layerMemory,
      AgentVersions.layerAny,
      Connections.layerOf(connections),
      countingSlots(tally, slots),
      LineHealth.layer(),
      rehearsedCalls,
      uncountedCalls,
      CampaignBell.layer,
      Holds.layer,
      CallBook.layer,
      countingIds,
      roster
    ))
  )
