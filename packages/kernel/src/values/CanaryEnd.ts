import { Schema } from "effect"
import { CampaignId } from "../ids/Ids.js"
import { Timestamp } from "../time/Timestamp.js"

/** Final state of a canary: stopped, promoted, or ended with its campaign before either. */
export const CanaryEnd = Schema.Literal("stopped", "promoted", "ended")
export type CanaryEnd = typeof CanaryEnd.Type

/** Why a canary ended: its outcomes were worse beyond chance, a request, or the end of its campaign. */
export const CanaryEndReason = Schema.Literal("worse", "request", "campaign")
export type CanaryEndReason = typeof CanaryEndReason.Type

const ArmCounts = Schema.NullOr(Schema.Struct({
  conversations: Schema.NonNegativeInt,
  successes: Schema.NonNegativeInt
}))

/** Fields of the live event and of the webhook that tell about the end of a canary. */
export const canaryEndedFields = {
  type: Schema.Literal("canary.ended"),
  at: Timestamp,
  campaign_id: CampaignId,
  /** Number of the canary in its campaign. */
  number: Schema.Int,
  app_version: Schema.Int,
  control_version: Schema.Int,
  status: CanaryEnd,
  end_reason: CanaryEndReason,
  /** Counts of the arms at the end. */
  control: ArmCounts,
  canary: ArmCounts
}
