import { OpenApi } from "@effect/platform"
import type { Importance, LimitedApi } from "@trunkline/rate-limits"
import { Context } from "effect"

/** The family of the plan table whose allowance a request takes from; null where it takes from none. */
export class LimitedBy extends Context.Reference<LimitedBy>()("@trunkline/http-api/LimitedBy", {
  defaultValue: (): LimitedApi | null => null
}) {}

/** How much a request matters when the server has too much to do. */
export class Matters extends Context.Reference<Matters>()("@trunkline/http-api/Matters", {
  defaultValue: (): Importance => "records"
}) {}

/** Whether a body may be left out: it is an empty object then. */
export class BodyIsOptional extends Context.Reference<BodyIsOptional>()("@trunkline/http-api/BodyIsOptional", {
  defaultValue: () => false
}) {}

/** How large a body may be. */
export interface BodySize {
  readonly bytes: number
  /** The values in its JSON, objects and lists among them: many take far longer to read than few of the same size. */
  readonly values: number
}

/** The largest body that a route takes: 1 MiB and ten thousand values unless it says otherwise. */
export class LargestBody extends Context.Reference<LargestBody>()("@trunkline/http-api/LargestBody", {
  defaultValue: (): BodySize => ({ bytes: 1_048_576, values: 10_000 })
}) {}

/** Marks an endpoint as beta in OpenAPI, with what that means for its callers. */
export const inBeta = (description: string) =>
  OpenApi.annotations({ description, override: { "x-badges": [{ name: "Beta" }] } })

/** Marks an endpoint as beta in OpenAPI, as those are that only keys with the feature `beta` may use. */
export const enabledByKey = inBeta(
  "In beta, which means that it may still change. It is enabled per key; to other keys it answers 400."
)
