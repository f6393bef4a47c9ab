import { NotFound } from "@trunkline/errors"
import { type AttemptId, type Scope, Transactions, unchecked } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { Fact } from "./facts/Fact.js"
import { FactsLog } from "./facts/FactsLog.js"
import { Projector } from "./Projector.js"

/** Fields that may become known after an attempt has ended, such as its cost or the results of an analysis. */
export type FactRevision = Partial<
  Pick<
    Fact,
    | "completion_status"
    | "cost_amount"
    | "cost_complete"
    | "cost_currency"
    | "extraction_status"
    | "failure_reason"
    | "has_log_issues"
    | "is_debug_call"
    | "language_name"
    | "metadata"
    | "next_action_status"
    | "output_agent_variables"
    | "output_variables"
    | "summary"
  >
>

/** Updates facts of attempts with information that becomes known after their end. */
export class FactRevisions extends Context.Tag("@trunkline/warehouse/FactRevisions")<FactRevisions, {
  /**
   * Updates a fact; boards show it within a second. Fails with `NotFound` for attempts without a fact and for erased
   * ones.
   */
  readonly revise: (scope: Scope, attempt_id: AttemptId, revision: FactRevision) => Effect.Effect<void, NotFound>
}>() {
  /** Revises facts in the `FactsLog` and nudges the `Projector`. */
  static readonly layer = Layer.effect(
    FactRevisions,
    Effect.gen(function*() {
      const log = yield* FactsLog
      const projector = yield* Projector
      const transactions = yield* Transactions
      return FactRevisions.of({
        revise: Effect.fn("FactRevisions.revise")(function*(scope, attempt_id, revision) {
          yield* transactions.run(Effect.flatMap(
            log.find(scope, attempt_id),
            Option.match({
              onNone: () => Effect.fail(new NotFound({ resource: "attempt", id: attempt_id })),
              onSome: (fact) => log.appendMany([{ scope, fact: new Fact({ ...fact, ...revision }, unchecked) }])
            })
          ))
          yield* projector.nudge(scope)
        })
      })
    })
  )
}
