import { Campaigns, isFinalStatus, Roster } from "@trunkline/campaigns"
import { type NotFound, Overloaded, RuleViolation } from "@trunkline/errors"
import { BusinessTime, type CampaignId, type Scope } from "@trunkline/kernel"
import { maxRehearsedCalls, type RehearsalReport, Rehearsals, type RehearseCampaign } from "@trunkline/rehearsal"
import { CallLimitsOption, Connections } from "@trunkline/telephony"
import { Context, Duration, Effect, Layer, Option, Struct } from "effect"
import { type CallLimitsOptions, makeCallLimits } from "./wiring/CallLimits.js"

/** Wait before retrying when too many rehearsals are running. */
const retryAfter = Duration.seconds(30)

/** Simulates campaigns before they start, or from their current state. */
export class CampaignRehearsal extends Context.Tag("@trunkline/engine/CampaignRehearsal")<CampaignRehearsal, {
  /**
   * Simulates a campaign with its own configuration, the number of contacts in its completed cohorts, its current
   * connections, and the time limits of the engine's calls, unless the request overrides them. No calls are made.
   *
   * Fails with `RuleViolation` for a campaign without contacts or one that is over, and with `Overloaded` when too many
   * rehearsals are running.
   */
  readonly rehearse: (
    scope: Scope,
    id: CampaignId,
    body: RehearseCampaign
  ) => Effect.Effect<RehearsalReport, NotFound | Overloaded | RuleViolation>
}>() {
  static readonly layer = (options: CallLimitsOptions) =>
    Layer.effect(
      CampaignRehearsal,
      Effect.gen(function*() {
        const campaigns = yield* Campaigns
        const roster = yield* Roster
        const connections = yield* Connections
        const rehearsals = yield* Rehearsals
        const callLimits = yield* makeCallLimits(options)
        const { maxDuration, ringTimeout } = yield* CallLimitsOption
        return CampaignRehearsal.of({
          rehearse: Effect.fn("CampaignRehearsal.rehearse")(function*(scope, id, body) {
            const campaign = yield* campaigns.get(scope, id)
            if (isFinalStatus(campaign.status)) {
              return yield* RuleViolation.at(
                ["body"],
                `The campaign is ${campaign.status}: there is nothing to rehearse`
              )
            }
            const contacts = body.contacts ?? (yield* roster.cohorts(scope, id)).people
            if (contacts === 0) {
              return yield* RuleViolation.at(
                ["body", "contacts"],
                "The campaign has no contacts yet: upload a cohort, or give the number of contacts"
              )
            }
            const lines = yield* Effect.forEach(
              campaign.app_config.connection_configs,
              ({ connection_id }) => connections.find(scope, connection_id)
            )
            const maxChannels = Object.fromEntries(
              lines.flatMap(Option.toArray).flatMap(({ connection_id, max_channels }) =>
                max_channels === undefined ? [] : [[connection_id, max_channels]]
              )
            )
            const { callees, lowest_rate: lowestRate, max_concurrent_calls, prices, seed } = body
            const from = body.now?.epochMillis ?? (yield* BusinessTime.now)
            return yield* rehearsals.run({
              campaign: Struct.pick(campaign, "app_config", "start_timestamp", "end_timestamp", "allowed_schedule"),
              contacts,
              maxChannels,
              // Skips the idle time before the start, which may be years away.
              now: Math.max(Math.floor(from), campaign.start_timestamp.epochMillis),
              maxConcurrentCalls: max_concurrent_calls ?? Math.min(yield* callLimits(scope), maxRehearsedCalls),
              ringTimeoutSeconds: Duration.toSeconds(ringTimeout),
              maxDurationSeconds: Duration.toSeconds(maxDuration),
              ...(callees && { callees }),
              ...(seed !== undefined && { seed }),
              ...(prices && { prices }),
              ...(lowestRate !== undefined && { lowestRate })
            }).pipe(Effect.catchTags({
              NothingToRehearse: ({ message }) => Effect.fail(RuleViolation.at(["body"], message)),
              RehearsalsBusy: ({ message }) => new Overloaded({ message, retryAfter })
            }))
          })
        })
      })
    )
}
