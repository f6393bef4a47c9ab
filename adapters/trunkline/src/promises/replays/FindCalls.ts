import { CallRecords } from "@trunkline/analytics"
import type { Overloaded, TimedOut } from "@trunkline/errors"
import { type AppId, type AttemptId, type CampaignId, maxPageLimit, type Scope } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"

/** Calls of a workspace that have ended. */
export interface CallSelection {
  readonly scope: Scope
  /** Agents that had the calls. */
  readonly agents: ReadonlyArray<AppId>
  /** Campaign of the calls; null for any call. */
  readonly campaign: CampaignId | null
  /** Time of dialling or arrival, in epoch milliseconds. */
  readonly from: number
  readonly to: number
}

/** The first moment and the last one that a selection can name. */
export const anyTime = { from: 0, to: Date.UTC(9999, 0) }

/** Finds the attempts of a selection that had a conversation, in the order of their time. */
export const findCalls = (
  { agents, campaign, from, scope, to }: CallSelection
): Effect.Effect<ReadonlyArray<AttemptId>, TimedOut | Overloaded, CallRecords> =>
  Effect.gen(function*() {
    const records = yield* CallRecords
    const ids: Array<AttemptId> = []
    for (const app_id of agents) {
      for (let offset = 0;; offset += maxPageLimit) {
        const { items } = yield* records.query({
          scope,
          app_id,
          kind: "interactions",
          query: {
            start_datetime: DateTime.unsafeMake(from),
            end_datetime: DateTime.unsafeMake(to),
            limit: maxPageLimit,
            offset,
            sort_order: "asc",
            filter_conditions: campaign === null
              ? []
              : [{ id: "campaign", field: "campaign_id", operator: "equals", value: campaign, kind: "string" }]
          }
        })
        for (const { attempt_id } of items) ids.push(attempt_id)
        if (items.length < maxPageLimit) break
      }
    }
    return ids
  })
