import { Context } from "effect"

/**
 * How often a workspace's campaigns may dial one number in one day, set by the embedder: `maxDialsPerNumberPerDay`.
 * Infinity, which is the default, is no cap. The day is that of the campaign that wants to dial, by the clocks of its
 * schedule's zone; dials are counted while there is a cap.
 */
export class DailyCap extends Context.Reference<DailyCap>()("@trunkline/campaigns/DailyCap", {
  defaultValue: () => Infinity
}) {}
