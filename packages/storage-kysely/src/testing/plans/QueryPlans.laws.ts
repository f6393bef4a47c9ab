import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { LimitStores } from "../../accounts/LimitsSql.js"
import type { Stores } from "../../StoresSql.js"
import { accountQueries } from "./AccountQueries.js"
import { callQueries } from "./CallQueries.js"
import { bulkEnrolment, campaignQueries } from "./CampaignQueries.js"
import { deliveryQueries } from "./DeliveryQueries.js"
import { dispatchQueries, finishMany } from "./DispatchQueries.js"

/** A statement with the steps of its plan, as `explain query plan` of SQLite describes them. */
export interface QueryPlan {
  readonly sql: string
  readonly steps: ReadonlyArray<string>
}

const frequentQueries: Readonly<Record<string, Effect.Effect<unknown, never, LimitStores | Stores>>> = {
  ...campaignQueries,
  "enrolment in bulk": bulkEnrolment,
  ...dispatchQueries,
  ...callQueries,
  ...accountQueries,
  ...deliveryQueries
}

/** Queries that may sort: the few rows that an index finds, or groups that they count or add up. */
const sortingQueries = ["a payment", "counts of webhooks", "contacts of a campaign by state, reason or name"]

/** Checks whether a step of a plan reads a whole table. Subqueries with a name are called `…_rows`. */
export const isTableScan = (step: string): boolean =>
  /^SCAN (?!.*USING|.*CONSTANT ROW|.*VALUES CLAUSE|.*VIRTUAL TABLE|\(subquery|\w+_rows$)/.test(step)

/** Checks whether a step of a plan sorts. */
export const isSort = (step: string): boolean => /TEMP B-TREE/.test(step)

/** Checks whether a step of a plan reads all contacts of a campaign. */
const readsWholeCampaign = (step: string): boolean => /^SEARCH contacts .*\(campaign_id=\?\)$/.test(step)

/**
 * The laws of query plans: the frequent queries of the engine and the API read from an index, in its order, however much
 * the database holds. `explain` runs a query and returns the plans of its statements.
 */
export const queryPlanLaws = <E>(
  name: string,
  explain: (query: Effect.Effect<unknown, never, LimitStores | Stores>) => Effect.Effect<ReadonlyArray<QueryPlan>, E>
): void => {
  describe(`Query plans: ${name}`, () => {
    for (const [title, query] of Object.entries(frequentQueries)) {
      it.effect(`reads ${title} from an index, in its order`, () =>
        Effect.gen(function*() {
          const plans = yield* explain(query)
          assert.isNotEmpty(plans)
          for (const { sql, steps } of plans) {
            assert.deepStrictEqual(steps.filter(isTableScan), [], sql)
            if (!sortingQueries.includes(title)) assert.deepStrictEqual(steps.filter(isSort), [], sql)
          }
        }))
    }

    it.effect("looks up the contacts with many numbers one by one, however many others their campaign has", () =>
      Effect.gen(function*() {
        for (const { sql, steps } of yield* explain(finishMany)) {
          assert.deepStrictEqual(steps.filter(readsWholeCampaign), [], sql)
        }
      }))

    it.effect("looks up the contacts with the numbers of a stop file one by one in bulk, too", () =>
      Effect.gen(function*() {
        for (const { sql, steps } of yield* explain(bulkEnrolment)) {
          assert.deepStrictEqual(steps.filter(readsWholeCampaign), [], sql)
        }
      }))
  })
}
