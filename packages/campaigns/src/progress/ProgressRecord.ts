import { CampaignId, ConnectionId, Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { CampaignStatus } from "../campaign/Campaign.js"
import { GateReason } from "../gate/Decision.js"
import { AttemptOutcome } from "./AttemptOutcome.js"

/** How a line of a campaign does. */
export const LineRecord = Schema.Struct({
  connection_id: ConnectionId,
  /** Calls on it, whoever makes them. */
  in_use: Schema.NonNegativeInt,
  /** Null where the connection has no limit of its own. */
  max_channels: Schema.NullOr(Schema.Int),
  /** `paused` while most of its dials failed, `probing` while one dial tries it again, `missing` when it is not configured. */
  health: Schema.Literal("ok", "probing", "paused", "missing"),
  paused_until: Schema.NullOr(Timestamp),
  /** Why it is paused; null otherwise. */
  reason: Schema.NullOr(Schema.String)
})
export type LineRecord = typeof LineRecord.Type

/** How far a campaign is: `GET W/campaigns/{id}/progress` (an extension: neither specification nor shapes has it). */
export const ProgressRecord = Schema.Struct({
  campaign_id: CampaignId,
  status: CampaignStatus,
  contacts: Schema.Struct({
    waiting: Schema.NonNegativeInt,
    calling: Schema.NonNegativeInt,
    finished: Schema.NonNegativeInt,
    /** The three together. */
    total_enrolled: Schema.NonNegativeInt,
    /** People of completed cohorts that have not been looked at yet; some may turn out to be enrolled already. */
    not_enrolled: Schema.NonNegativeInt
  }),
  /** Ended attempts, each counted once. */
  outcomes: Schema.Record({ key: AttemptOutcome, value: Schema.NonNegativeInt }),
  /** Attempts that have ended. */
  attempts: Schema.NonNegativeInt,
  /** The minutes of the last hour in which somebody was dialled, in order. */
  dials_per_minute: Schema.Array(Schema.Struct({ minute: Timestamp, dials: Schema.NonNegativeInt })),
  /** What keeps the whole campaign from dialling at this moment; null when nothing does but its rate. */
  hold: Schema.NullOr(GateReason),
  /** When the hold is over; null where that is not known. */
  hold_until: Schema.NullOr(Timestamp),
  /** The hold as one plain English sentence; null without one. */
  explanation: Schema.NullOr(Schema.String),
  /** When everybody will have been dealt with, at the pace of the last hour; null where that cannot be told. */
  expected_finish: Schema.NullOr(Timestamp),
  lines: Schema.Array(LineRecord)
})
export type ProgressRecord = typeof ProgressRecord.Type
