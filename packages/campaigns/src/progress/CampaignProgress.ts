import { NotFound } from "@trunkline/errors"
import {
  BusinessTime,
  type CampaignId,
  CostCurrency,
  nextClosing,
  nextOpening,
  type Scope,
  type WeeklyWindow
} from "@trunkline/kernel"
import { CallSlots, Connections, LineHealth } from "@trunkline/telephony"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { dialWindow } from "../campaign/AllowedSchedule.js"
import type { DialLine } from "../campaign/Campaign.js"
import type { BudgetFacts } from "../campaign/CampaignBudget.js"
import { CampaignSpending } from "../campaign/CampaignSpending.js"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { canaryRecord } from "../canary/Canary.js"
import { CanaryCounts } from "../canary/CanaryCounts.js"
import { toTimestamp, visibleCounts } from "../contacts/ContactRecord.js"
import { explain } from "../contacts/GateResult.js"
import { Gate } from "../gate/Gate.js"
import { ContactStore } from "../store/ContactStore.js"
import { DialLog } from "../store/DialLog.js"
import { DialQueue } from "../store/DialQueue.js"
import type { DialMinute } from "../store/DispatchTotals.js"
import { Roster } from "../store/Roster.js"
import type { LineRecord, ProgressRecord } from "./ProgressRecord.js"

const minuteMillis = 60_000
const hourMillis = 60 * minuteMillis

/** Longest estimate of a finish: 400 days from now. */
const horizonMillis = 400 * 24 * hourMillis

/** Reports the progress of campaigns: totals, pace, what holds them, and their expected finish. */
export class CampaignProgress extends Context.Tag("@trunkline/campaigns/CampaignProgress")<CampaignProgress, {
  /** The progress of a campaign of the workspace. */
  readonly of: (scope: Scope, id: CampaignId) => Effect.Effect<ProgressRecord, NotFound>
}>() {
  static readonly layer = Layer.effect(
    CampaignProgress,
    Effect.gen(function*() {
      const campaigns = yield* CampaignStore
      const store = yield* ContactStore
      const queue = yield* DialQueue
      const log = yield* DialLog
      const roster = yield* Roster
      const gate = yield* Gate
      const connections = yield* Connections
      const slots = yield* CallSlots
      const health = yield* LineHealth
      const spending = yield* CampaignSpending
      const canaryCounts = yield* CanaryCounts
      const { currency } = yield* CostCurrency

      const lineRecord = (scope: Scope, { connection_id }: DialLine): Effect.Effect<LineRecord> =>
        Effect.gen(function*() {
          const connection = yield* connections.find(scope, connection_id)
          if (Option.isNone(connection)) return missingLine(connection_id)
          const state = yield* health.state(connection_id)
          return {
            connection_id,
            in_use: yield* slots.use(connection.value),
            max_channels: connection.value.max_channels ?? null,
            health: state.health,
            paused_until: toTimestamp(state.paused_until),
            reason: state.reason
          }
        })

      return CampaignProgress.of({
        of: Effect.fn("CampaignProgress.of")(function*(scope: Scope, id: CampaignId) {
          const campaign = yield* Effect.flatten(campaigns.find(scope, id)).pipe(
            Effect.mapError(() => new NotFound({ resource: "campaign", id }))
          )
          const ownedCampaign = { scope, campaign }
          const now = yield* BusinessTime.now
          const { contacts: stored, outcomes, taken } = yield* store.totals(id)
          const contacts = visibleCounts(campaign.status, stored)
          const { people } = yield* roster.cohorts(scope, id)
          const minutes = yield* log.minutes(id, now - hourMillis)
          const decision = yield* gate.campaign(ownedCampaign, now)
          const budget = yield* gate.budget(ownedCampaign)
          const { incomplete, spent } = yield* spending.of(id)
          const hold = decision.verdict === "allow" || decision.reason === "rate" ? null : decision
          const not_enrolled = Math.max(0, people - taken)
          const attempts = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
          const finish = campaign.status !== "active" ? null : expectedFinish({
            now,
            window: dialWindow(campaign.allowed_schedule),
            end: campaign.end_timestamp.epochMillis,
            remaining: contacts.waiting + contacts.calling + not_enrolled,
            attempts,
            finished: contacts.finished,
            minutes,
            lastDue: yield* queue.lastDue(id)
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
            spend: { currency, amount_micros: spent, incomplete_calls: incomplete },
            budget: budget && budgetRecord(budget),
            canary: campaign.canary == null
              ? null
              : canaryRecord(campaign.canary, yield* canaryCounts.of(id, campaign.canary.number)),
            hold: hold?.reason ?? null,
            hold_until: toTimestamp(hold?.not_before ?? null),
            explanation: hold && explain(hold),
            expected_finish: toTimestamp(finish),
            lines: yield* Effect.forEach(campaign.app_config.connection_configs, (line) => lineRecord(scope, line))
          }
        })
      })
    })
  )
}

const budgetRecord = ({ limit, reserve, running, spent }: BudgetFacts) => {
  const reserved_micros = reserve * running
  return { amount_micros: limit, reserved_micros, remaining_micros: Math.max(0, limit - spent - reserved_micros) }
}

const missingLine = (connection_id: DialLine["connection_id"]): LineRecord => ({
  connection_id,
  in_use: 0,
  max_channels: null,
  health: "missing",
  paused_until: null,
  reason: null
})

/** Everything that the expected finish depends on. Moments are epoch milliseconds of business time. */
export interface ForecastFacts {
  readonly now: number
  readonly window: WeeklyWindow
  /** The campaign's end. */
  readonly end: number
  /** Contacts that are not finished. */
  readonly remaining: number
  /** Ended attempts so far. */
  readonly attempts: number
  /** Finished contacts so far. */
  readonly finished: number
  /** The minutes of the last hour with dials. */
  readonly minutes: ReadonlyArray<DialMinute>
  /** Due time of the waiting contact that is due last; null when none waits. */
  readonly lastDue: number | null
}

/** Time during which the window is open between two moments, in milliseconds. */
const openBetween = (window: WeeklyWindow, from: number, to: number): number => {
  let open = 0
  for (let moment = nextOpening(window, from); moment < to;) {
    const closes = Math.min(nextClosing(window, moment), to)
    open += closes - moment
    moment = nextOpening(window, closes)
  }
  return open
}

/** The moment at which the window has been open for `span` milliseconds since `from`, at most `end`. */
const afterOpen = (window: WeeklyWindow, from: number, span: number, end: number): number => {
  let remaining = span
  for (let moment = nextOpening(window, from); moment < end;) {
    const closes = nextClosing(window, moment)
    if (moment + remaining <= closes) return Math.min(moment + remaining, end)
    remaining -= closes - moment
    moment = nextOpening(window, closes)
  }
  return end
}

/**
 * Estimates when all contacts are finished, at the pace of the last hour: the dials per minute of open window, times the
 * average number of attempts that the finished contacts took. Never before the last scheduled retry, nor after the
 * campaign's end. Null when no contact remains, none was dialled in the last hour, or the estimate is over 400 days away.
 */
export const expectedFinish = (facts: ForecastFacts): number | null => {
  const { attempts, end, finished, lastDue, minutes, now, remaining, window } = facts
  const [first] = minutes
  if (remaining === 0 || first === undefined) return null
  const dials = minutes.reduce((sum, one) => sum + one.dials, 0)
  const open = Math.max(minuteMillis, openBetween(window, first.minute, now))
  const attemptsToGo = remaining * Math.max(1, finished === 0 ? 1 : attempts / finished)
  const horizon = now + horizonMillis
  const finish = Math.ceil(afterOpen(window, now, attemptsToGo * open / dials, Math.min(end, horizon)))
  return finish >= horizon ? null : Math.min(end, Math.max(finish, lastDue ?? 0))
}
