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
