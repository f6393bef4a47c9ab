import { NotFound } from "@trunkline/errors"
import { BusinessTime, type CampaignId, type Scope } from "@trunkline/kernel"
import { CallSlots, Connections, LineHealth } from "@trunkline/telephony"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { type DialLine, dialWindow } from "../campaign/Campaign.js"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { shownCounts } from "../contacts/LeftOver.js"
import { DispatchStore } from "../dispatch/DispatchStore.js"
import { Roster } from "../enrolment/Roster.js"
import { explain } from "../gate/Explanation.js"
import { Gate } from "../gate/Gate.js"
import { expectedFinish } from "./ExpectedFinish.js"
import type { LineRecord, ProgressRecord } from "./ProgressRecord.js"

const hour = 60 * 60_000

/** How far campaigns are: totals, pace, what holds them, and when they are expected to be done. */
export class CampaignProgress extends Context.Tag("@trunkline/campaigns/CampaignProgress")<CampaignProgress, {
  readonly of: (scope: Scope, id: CampaignId) => Effect.Effect<ProgressRecord, NotFound>
}>() {
  static readonly layer = Layer.effect(
    CampaignProgress,
    Effect.gen(function*() {
      const campaigns = yield* CampaignStore
      const dispatch = yield* DispatchStore
      const roster = yield* Roster
      const gate = yield* Gate
      const connections = yield* Connections
      const slots = yield* CallSlots
      const health = yield* LineHealth

      const lineOf = (scope: Scope, { connection_id }: DialLine): Effect.Effect<LineRecord> =>
        Effect.gen(function*() {
          const found = yield* connections.find(scope, connection_id)
          if (Option.isNone(found)) return missing(connection_id)
          const state = yield* health.state(connection_id)
          return {
            connection_id,
            in_use: yield* slots.use(found.value),
            max_channels: found.value.max_channels ?? null,
            health: state.health,
            paused_until: momentOf(state.paused_until),
            reason: state.reason
          }
        })

      return CampaignProgress.of({
        of: Effect.fn("CampaignProgress.of")(function*(scope: Scope, id: CampaignId) {
          const campaign = yield* Effect.flatten(campaigns.find(scope, id)).pipe(
            Effect.mapError(() => new NotFound({ resource: "campaign", id }))
          )
          const owned = { scope, campaign }
          const now = yield* BusinessTime.now
          const { contacts: kept, outcomes, taken } = yield* dispatch.totals(id)
          const contacts = shownCounts(campaign.status, kept)
          const { people } = yield* roster.cohorts(scope, id)
          const minutes = yield* dispatch.minutes(id, now - hour)
          const decision = yield* gate.campaign(owned, now)
          const held = decision.verdict === "allow" || decision.reason === "rate" ? null : decision
          const not_enrolled = Math.max(0, people - taken)
          const attempts = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
          const finish = campaign.status !== "active" ? null : expectedFinish({
            now,
            window: dialWindow(campaign.allowed_schedule),
            end: campaign.end_timestamp.epochMillis,
            people: contacts.waiting + contacts.calling + not_enrolled,
            attempts,
            finished: contacts.finished,
            minutes,
            lastDue: yield* dispatch.lastDue(id)
          })
          return {
            campaign_id: id,
            status: campaign.status,
            contacts: {
              ...contacts,
              total_enrolled: contacts.waiting + contacts.calling + contacts.finished,
              not_enrolled
            },
            outcomes,
            attempts,
            dials_per_minute: minutes.map(({ dials, minute }) => ({ minute: DateTime.unsafeMake(minute), dials })),
            hold: held?.reason ?? null,
            hold_until: momentOf(held?.not_before ?? null),
            explanation: held && explain(held),
            expected_finish: momentOf(finish),
            lines: yield* Effect.forEach(campaign.app_config.connection_configs, (line) => lineOf(scope, line))
          }
        })
      })
    })
  )
}

const momentOf = (at: number | null) => at === null ? null : DateTime.unsafeMake(at)

const missing = (connection_id: DialLine["connection_id"]): LineRecord => ({
  connection_id,
  in_use: 0,
  max_channels: null,
  health: "missing",
  paused_until: null,
  reason: null
})
