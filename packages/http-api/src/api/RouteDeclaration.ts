import { OpenApi } from "@effect/platform"
import type { Role } from "@trunkline/engine"
import type { Importance, LimitedApi } from "@trunkline/rate-limits"
import { Context, Schema } from "effect"

/** Prefix of every route that belongs to a workspace, except analytics and boards. */
export const workspacePrefix = "/v1/orgs/:org_id/workspaces/:workspace_id"

/** Path parameters that every workspace route shares. Admission validates them, so they are plain strings here. */
export const workspaceParams = { org_id: Schema.String, workspace_id: Schema.String }

/** Annotates a route with the rate limit it counts against; null (the default) counts against none. */
export class LimitedBy extends Context.Reference<LimitedBy>()("@trunkline/http-api/LimitedBy", {
  defaultValue: (): LimitedApi | null => null
}) {}

/** Annotates a route with its importance under load: the least important requests are shed first. */
export class RouteImportance extends Context.Reference<RouteImportance>()("@trunkline/http-api/RouteImportance", {
  defaultValue: (): Importance => "records"
}) {}

/** Annotates a route with the role of the processes that answer it; null for all of them. */
export class RouteRole extends Context.Reference<RouteRole>()("@trunkline/http-api/AnsweredBy", {
  defaultValue: (): Role | null => "api"
}) {}

/** Annotates a route whose body may be left out; a missing body counts as an empty object. */
export class BodyIsOptional extends Context.Reference<BodyIsOptional>()("@trunkline/http-api/BodyIsOptional", {
  defaultValue: () => false
}) {}

/** Size limits of a request body. */
export interface BodySize {
  readonly bytes: number
  /** Number of JSON values, counting objects and arrays: many small values take far longer to parse than a few large ones. */
  readonly values: number
}

/** Annotates a route with the largest body it accepts; 1 MiB and 10,000 values by default. */
export class BodyLimit extends Context.Reference<BodyLimit>()("@trunkline/http-api/BodyLimit", {
  defaultValue: (): BodySize => ({ bytes: 1_048_576, values: 10_000 })
}) {}

/** Marks an endpoint as beta in OpenAPI, with a description of the consequences for callers. */
export const betaEndpoint = (description: string) =>
  OpenApi.annotations({ description, override: { "x-badges": [{ name: "Beta" }] } })

/** Marks a beta endpoint that only keys with the feature `beta` may use. */
export const betaPerKey = betaEndpoint(
  "In beta, which means that it may still change. It is enabled per key; to other keys it answers 400."
)
