import { CallAnalytics } from "@trunkline/analytics"
import { CampaignSpending } from "@trunkline/campaigns"
import type { NotFound } from "@trunkline/errors"
import {
  addToLedger,
  type AttemptId,
  CostCurrency,
  CurrentUsage,
  makeUsageMeter,
  ProviderPrices,
  type Scope,
  type ServiceUsage,
  Transactions
} from "@trunkline/kernel"
import { FactRevisions } from "@trunkline/warehouse"
import { Context, Effect, Layer } from "effect"
import { costFields } from "./Facts.js"

/** Costs of ended calls that become known later, such as those of a model that reads the transcript. */
export class CallCosts extends Context.Tag("@trunkline/engine/CallCosts")<CallCosts, {
  /**
   * Adds what work after a call has used: to its record, to its fact on boards, and to what its campaign has spent. Joins the
   * running transaction. Does nothing without usage, or without prices. Fails with `NotFound` for a call without a record.
   */
  readonly add: (
    scope: Scope,
    attempt_id: AttemptId,
    usage: ReadonlyArray<ServiceUsage>
  ) => Effect.Effect<void, NotFound>
  /**
   * Runs work after a call, and adds what its model, voice and transcriber count meanwhile, also when it fails. A record that is
   * gone has no costs: that is no failure of the work.
   */
  readonly count: (
    scope: Scope,
    attempt_id: AttemptId
  ) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>() {
  static readonly layer = Layer.effect(
    CallCosts,
    Effect.gen(function*() {
      const analytics = yield* CallAnalytics
      const revisions = yield* FactRevisions
      const spending = yield* CampaignSpending
      const transactions = yield* Transactions
      const prices = yield* ProviderPrices
      const settings = yield* CostCurrency

      const addOnce = (scope: Scope, attempt_id: AttemptId, usage: ReadonlyArray<ServiceUsage>) =>
        Effect.gen(function*() {
          let increase = 0
          const { campaign_id, costs } = yield* analytics.reviseCosts(scope, attempt_id, (before) => {
            const after = addToLedger(prices, settings, { before, usage })
            increase = (after.amount_micros ?? 0) - (before?.amount_micros ?? 0)
            return after
          })
          if (costs !== undefined) yield* revisions.revise(scope, attempt_id, costFields(costs))
          if (campaign_id === null || increase <= 0) return
          yield* spending.addMany([{ campaign_id, amount: increase, isComplete: true, isCall: false }])
        })

      const add = (scope: Scope, attempt_id: AttemptId, usage: ReadonlyArray<ServiceUsage>) =>
        usage.length === 0 || prices.length === 0
          ? Effect.void
          : transactions.run(addOnce(scope, attempt_id, usage))

      return CallCosts.of({
        add,
        count: (scope, attempt_id) => (work) =>
          Effect.suspend(() => {
            const meter = makeUsageMeter()
            const addition = Effect.suspend(() => add(scope, attempt_id, meter.all()))
            return Effect.ensuring(Effect.locally(work, CurrentUsage, meter), Effect.ignore(addition))
          })
      })
    })
  )
}
