import type { CohortId, DeploymentId, PhoneNumber, Scope, Variables } from "@trunkline/kernel"
import { Context, Effect, Layer, type Option } from "effect"
import type { AppOverrides } from "./calls/CallHandler.js"

/** Someone whom a deployment's cohorts know. */
export interface KnownCaller {
  readonly cohort_id: CohortId
  readonly user_identifier: string
  readonly agent_variables: Variables
  readonly app_overrides: AppOverrides
}

/** Who a deployment knows: telephony's view of the cohorts. */
export class KnownCallers extends Context.Tag("@trunkline/telephony/KnownCallers")<KnownCallers, {
  /** The caller in the deployment's newest completed cohort that has the number (shapes 2.6). */
  readonly find: (
    scope: Scope,
    deployment: DeploymentId,
    caller: PhoneNumber
  ) => Effect.Effect<Option.Option<KnownCaller>>
  /** Removes all that is known for a deployment; joins the running transaction. */
  readonly forget: (scope: Scope, deployment: DeploymentId) => Effect.Effect<void>
}>() {
  /** Nobody is known. */
  static readonly layerNone = Layer.succeed(KnownCallers, { find: () => Effect.succeedNone, forget: () => Effect.void })
}
