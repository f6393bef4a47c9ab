import { type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect } from "effect"

/** Finds the tenant on whose behalf a call asks the model. Default: each workspace is a tenant of its own. */
export class Tenants extends Context.Reference<Tenants>()("@trunkline/conversation/Tenants", {
  defaultValue: (): Tenants.Service => ({ of: (scope) => Effect.succeed(scopeKey(scope)) })
}) {}

export declare namespace Tenants {
  /** Looks tenants up. */
  export interface Service {
    /** The tenant's id, for the `origin` of model requests. */
    readonly of: (scope: Scope) => Effect.Effect<string>
  }
}
