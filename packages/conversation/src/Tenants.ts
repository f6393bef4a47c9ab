import { type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect } from "effect"

/** Says whom a workspace's calls ask the model for, so that the failures of one are not another's. Default: each workspace. */
export class Tenants extends Context.Reference<Tenants>()("@trunkline/conversation/Tenants", {
  defaultValue: (): Tenants.Service => ({ of: (scope) => Effect.succeed(scopeKey(scope)) })
}) {}

export declare namespace Tenants {
  /** What knows the tenants. */
  export interface Service {
    /** The tenant, by the id that is in the `origin` of requests. */
    readonly of: (scope: Scope) => Effect.Effect<string>
  }
}
