import type { NotFound, RuleViolation } from "@trunkline/errors"
import type { Scope, TimeZone } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { CohortOwner } from "./Cohort.js"

/** Requirements of an owner for its cohorts. */
export interface OwnerTerms {
  /** Variables of the owner's agent; null when the agent cannot list them. */
  readonly declaredVariables: ReadonlyArray<string> | null
  /** Rejects a file without a data row. */
  readonly requiresRows: boolean
  /** Time zone of the owner; Asia/Kolkata unless given. */
  readonly timezone?: TimeZone
}

/** Port to the deployments and campaigns that own cohorts. */
export class CohortOwners extends Context.Tag("@trunkline/cohorts/CohortOwners")<CohortOwners, {
  /** Fails with `NotFound` unless the workspace has such a deployment or campaign. */
  readonly require: (scope: Scope, owner: CohortOwner) => Effect.Effect<void, NotFound>
  /** Returns the requirements for a new cohort; fails for a campaign that has ended. Joins the running transaction. */
  readonly admit: (scope: Scope, owner: CohortOwner) => Effect.Effect<OwnerTerms, NotFound | RuleViolation>
  /** Notifies the owner that a cohort is completed, so that its users can be called. */
  readonly completed: (scope: Scope, owner: CohortOwner) => Effect.Effect<void>
}>() {
  /** A port for tests and scripts: every owner exists and accepts any variables; campaigns require rows. */
  static readonly layerMemory: Layer.Layer<CohortOwners> = Layer.succeed(CohortOwners, {
    require: () => Effect.void,
    admit: (_, owner) => Effect.succeed({ declaredVariables: null, requiresRows: owner.kind === "campaign" }),
    completed: () => Effect.void
  })
}
