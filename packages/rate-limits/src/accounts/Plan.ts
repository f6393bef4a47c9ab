import { Schema } from "effect"

/** What an account has subscribed to; rate limits and tier limits follow from it (specification, Rate limits). */
export const Plan = Schema.Literal("starter", "pro", "business")
export type Plan = typeof Plan.Type
