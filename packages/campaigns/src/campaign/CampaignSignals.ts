import { Bus, CampaignId, unchecked } from "@trunkline/kernel"
import { Context, Effect, Layer, PubSub, type Queue, type Scope } from "effect"

/**
 * Signals that a campaign's next step may have changed: its status, its contacts or its calls. Other processes hear of them
 * through the bus.
 */
export class CampaignSignals extends Context.Tag("@trunkline/campaigns/CampaignBell")<CampaignSignals, {
  /** Wakes the worker of a campaign. */
  readonly notify: (campaign: CampaignId) => Effect.Effect<void>
  /** Wakes the worker because a call of the campaign has ended, unless it has turned these signals off. */
  readonly callEnded: (campaign: CampaignId) => Effect.Effect<void>
  /** Turns the `callEnded` signals of a campaign on or off; a campaign that dials at its full rate needs none. */
  readonly setCallEndSignals: (campaign: CampaignId, isEnabled: boolean) => Effect.Effect<void>
  /** Wakes the worker because a cohort or a stop file of the campaign has been imported completely. */
  readonly cohortCompleted: (campaign: CampaignId) => Effect.Effect<void>
  /** Wakes the worker of this process because others may have changed anything of the campaign. */
  readonly lookAgain: (campaign: CampaignId) => Effect.Effect<void>
  /** Returns true if `cohortCompleted` or `lookAgain` was called for the campaign since the last call of this function. */
  readonly takeNewCohorts: (campaign: CampaignId) => Effect.Effect<boolean>
  /** Subscribes to the ids of campaigns that are signalled from now on. */
  readonly subscribe: Effect.Effect<Queue.Dequeue<CampaignId>, never, Scope.Scope>
}>() {
  static readonly layer = Layer.scoped(
    CampaignSignals,
    Effect.gen(function*() {
      const signals = yield* PubSub.unbounded<CampaignId>()
      const bus = yield* Bus
      const withNewCohorts = new Set<CampaignId>()
      const withCallEndSignals = new Set<CampaignId>()
      const wake = (campaign: CampaignId) => Effect.asVoid(PubSub.publish(signals, campaign))
      const wakeForCohort = (campaign: CampaignId) =>
        Effect.zipRight(Effect.sync(() => withNewCohorts.add(campaign)), wake(campaign))
      const notify = (campaign: CampaignId) => Effect.zipRight(wake(campaign), bus.publish(changedTopic, campaign))
      const callEnded = (campaign: CampaignId) =>
        Effect.suspend(() => withCallEndSignals.has(campaign) ? wake(campaign) : Effect.void)

      /** Wakes workers for what other processes have done; they look for it themselves where a hint names no campaign. */
      const hear = (topic: string, onHint: (campaign: CampaignId) => Effect.Effect<void>) =>
        Effect.flatMap(
          bus.subscribe(topic),
          (next) =>
            Effect.forkScoped(Effect.forever(Effect.flatMap(next, (hint) =>
              hint === null ? Effect.void : onHint(CampaignId.make(hint, unchecked)))))
        )
      if (bus.isShared) {
        yield* hear(changedTopic, wakeForCohort)
        yield* hear(callEndedTopic, callEnded)
      }

      return CampaignSignals.of({
        notify,
        callEnded: (campaign) =>
          withCallEndSignals.has(campaign) || !bus.isShared
            ? callEnded(campaign)
            : bus.publish(callEndedTopic, campaign),
        setCallEndSignals: (campaign, isEnabled) =>
          Effect.sync(() => void (isEnabled ? withCallEndSignals.add(campaign) : withCallEndSignals.delete(campaign))),
        cohortCompleted: (campaign) => Effect.zipRight(wakeForCohort(campaign), bus.publish(changedTopic, campaign)),
        lookAgain: wakeForCohort,
        takeNewCohorts: (campaign) => Effect.sync(() => withNewCohorts.delete(campaign)),
        subscribe: PubSub.subscribe(signals)
      })
    })
  )
}

/** Topics of hints to other processes. */
const changedTopic = "campaign-changed"
const callEndedTopic = "campaign-call-ended"
