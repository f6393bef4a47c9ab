import { Campaigns, isOver, Roster } from "@trunkline/campaigns"
import { type NotFound, Overloaded, RuleViolation } from "@trunkline/errors"
import { BusinessTime, type CampaignId, type Scope } from "@trunkline/kernel"
import { type RehearsalReport, Rehearsals, type RehearseCampaign } from "@trunkline/rehearsal"
import { Connections, DEFAULT_MAX_CONCURRENT_CALLS } from "@trunkline/telephony"
import { Context, Duration, Effect, Layer, Option, Struct } from "effect"

/** How long to wait before asking again for a rehearsal for which there was no room. */
const retryAfter = Duration.seconds(30)

/** Plays campaigns through before they are run, or from where they are (an extension of ours). */
export class CampaignRehearsal extends Context.Tag("@trunkline/engine/CampaignRehearsal")<CampaignRehearsal, {
  /**
   * How the campaign would go, by its own configuration, with as many people as its completed cohorts have and the
   * lines as they are, unless the request says otherwise. Nobody is called. Refused for a campaign without people, and
   * for one that is over.
   */
  readonly rehearse: (
    scope: Scope,
    id: CampaignId,
    body: RehearseCampaign
  ) => Effect.Effect<RehearsalReport, NotFound | Overloaded | RuleViolation>
}>() {
  static readonly layer = (options: { readonly maxConcurrentCalls?: number }) =>
    Layer.effect(
      CampaignRehearsal,
      Effect.gen(function*() {
        const campaigns = yield* Campaigns
        const roster = yield* Roster
        const connections = yield* Connections
        const rehearsals = yield* Rehearsals
        return CampaignRehearsal.of({
          rehearse: Effect.fn("CampaignRehearsal.rehearse")(function*(scope, id, body) {
            const campaign = yield* campaigns.get(scope, id)
            if (isOver(campaign.status)) {
              return yield* RuleViolation.at(
                ["body"],
                `The campaign is ${campaign.status}: there is nothing to rehearse`
              )
            }
            const contacts = body.contacts ?? (yield* roster.cohorts(scope, id)).people
            if (contacts === 0) {
              return yield* RuleViolation.at(
                ["body", "contacts"],
                "The campaign has no people yet: upload a cohort, or say how many there will be"
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
              // Nothing happens before the start, which may be years away.
              now: Math.max(Math.floor(from), campaign.start_timestamp.epochMillis),
              maxConcurrentCalls: max_concurrent_calls ?? options.maxConcurrentCalls ?? DEFAULT_MAX_CONCURRENT_CALLS,
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
