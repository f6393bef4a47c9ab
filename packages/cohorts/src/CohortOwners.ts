import type { NotFound, RuleViolation } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { CohortOwner } from "./Cohort.js"

/** What an owner asks of the cohorts that are added to it. */
export interface OwnerTerms {
  /** The variables that its agent knows; null when they cannot be listed. */
  readonly declaredVariables: ReadonlyArray<string> | null
  /** Whether a file without a single data row is refused. */
  readonly requiresRows: boolean
}

/** The deployments and campaigns that cohorts belong to, as far as cohorts need to know them. */
export class CohortOwners extends Context.Tag("@trunkline/cohorts/CohortOwners")<CohortOwners, {
  /** Fails unless there is such a deployment or campaign in the workspace. */
  readonly require: (scope: Scope, owner: CohortOwner) => Effect.Effect<void, NotFound>
  /** Lets a cohort be added; a campaign that has ended does not. Joins the running transaction. */
  readonly admit: (scope: Scope, owner: CohortOwner) => Effect.Effect<OwnerTerms, NotFound | RuleViolation>
  /** Hears that a cohort of the owner is completed: its people can be called now. */
  readonly completed: (scope: Scope, owner: CohortOwner) => Effect.Effect<void>
}>() {
  /** Every owner exists and takes any variables; campaigns require rows. */
  static readonly layerMemory: Layer.Layer<CohortOwners> = Layer.succeed(CohortOwners, {
    require: () => Effect.void,
    admit: (_, owner) => Effect.succeed({ declaredVariables: null, requiresRows: owner.kind === "campaign" }),
    completed: () => Effect.void
  })
}
