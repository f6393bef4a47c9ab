import { Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { CalleeModel } from "./callees/CalleeModel.js"
import { Prices } from "./report/Prices.js"

/** The most people that a rehearsal asked for over HTTP may have. */
export const MAX_REHEARSED_PEOPLE = 1_000_000

/**
 * What rehearses a campaign that exists: `POST W/campaigns/{id}/rehearse` (an extension: neither specification nor shapes
 * has it). Everything may be left out.
 */
export const RehearseCampaign = Schema.Struct({
  /** How people take calls; the default model when absent, and the default of every part that is. */
  callees: Schema.optional(CalleeModel),
  /** How many people are called; the campaign's own when absent. */
  contacts: Schema.optional(Schema.Int.pipe(Schema.between(1, MAX_REHEARSED_PEOPLE))),
  /** Everything random comes from it; default 1. */
  seed: Schema.optional(Schema.Union(Schema.Int, Schema.String.pipe(Schema.maxLength(64)))),
  /** When the rehearsal begins; the present moment when absent. */
  now: Schema.optional(Timestamp),
  /** Calls that the workspace holds at once; the engine's own number when absent. */
  max_concurrent_calls: Schema.optional(Schema.Int.pipe(Schema.between(1, 100_000))),
  prices: Schema.optional(Prices),
  /** Whether to look for the lowest rate that finishes; default true. */
  lowest_rate: Schema.optional(Schema.Boolean)
})
export type RehearseCampaign = typeof RehearseCampaign.Type
