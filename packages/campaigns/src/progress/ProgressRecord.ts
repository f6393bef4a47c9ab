import { CampaignId, ConnectionId, Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { CampaignStatus } from "../campaign/Campaign.js"
import { CanaryRecord } from "../canary/Canary.js"
import { AttemptOutcome } from "../contacts/AttemptOutcome.js"
import { GateReason } from "../contacts/GateResult.js"

/** State of one line of a campaign. */
export const LineRecord = Schema.Struct({
  connection_id: ConnectionId,
  /** Calls in progress on the connection, of all campaigns and workspaces. */
  in_use: Schema.NonNegativeInt,
  /** Null when the connection has no own limit. */
  max_channels: Schema.NullOr(Schema.Int),
  /** `paused` while its circuit breaker is open, `startProbe` while one dial tests it, `missing` when it is not configured. */
  health: Schema.Literal("ok", "probing", "paused", "missing"),
  paused_until: Schema.NullOr(Timestamp),
  /** The reason while it is paused; null otherwise. */
  reason: Schema.NullOr(Schema.String)
})
export type LineRecord = typeof LineRecord.Type

/** Progress of a campaign, as `GET W/campaigns/{id}/progress` returns it; an extension of the API. */
export const ProgressRecord = Schema.Struct({
  campaign_id: CampaignId,
  status: CampaignStatus,
  contacts: Schema.Struct({
    waiting: Schema.NonNegativeInt,
    calling: Schema.NonNegativeInt,
    finished: Schema.NonNegativeInt,
    /** Sum of the three. */
    total_enrolled: Schema.NonNegativeInt,
    /** Rows of completed cohorts that are still to be enrolled; some may list numbers that already are. */
    not_enrolled: Schema.NonNegativeInt
  }),
  /** Ended attempts, each counted once. */
  outcomes: Schema.Record({ key: AttemptOutcome, value: Schema.NonNegativeInt }),
  /** Number of ended attempts. */
  attempts: Schema.NonNegativeInt,
  /** The minutes of the last hour with dials, in order. */
  dials_per_minute: Schema.Array(Schema.Struct({ minute: Timestamp, dials: Schema.NonNegativeInt })),
  /** Costs of the ended calls, as far as prices are known. */
  spend: Schema.Struct({
    /** Reporting currency of the engine, an ISO 4217 code. */
    currency: Schema.String,
    /** Millionths of the currency. */
    amount_micros: Schema.NonNegativeInt,
    /** Ended calls of which a part of the cost is unknown, and is not counted. */
    incomplete_calls: Schema.NonNegativeInt
  }),
  /** The budget; null without one. Amounts are millionths of its currency, which is that of `spend`. */
  budget: Schema.NullOr(Schema.Struct({
    amount_micros: Schema.NonNegativeInt,
    /** Amount that is set aside for the calls that run. */
    reserved_micros: Schema.NonNegativeInt,
    /** Amount that is left for further calls. */
    remaining_micros: Schema.NonNegativeInt
  })),
  /** The newest canary, with both arms as they are now; null without one. */
  canary: Schema.NullOr(CanaryRecord),
  /** The reason why the whole campaign does not dial now; null when only its rate limits it. */
  hold: Schema.NullOr(GateReason),
  /** The end of the hold; null when it is not known. */
  hold_until: Schema.NullOr(Timestamp),
  /** The hold in one plain English sentence; null without a hold. */
  explanation: Schema.NullOr(Schema.String),
  /** Estimated moment at which all contacts are finished, at the pace of the last hour; null when it cannot be estimated. */
  expected_finish: Schema.NullOr(Timestamp),
  lines: Schema.Array(LineRecord)
})
export type ProgressRecord = typeof ProgressRecord.Type
