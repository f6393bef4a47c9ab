import type { CampaignId } from "@trunkline/kernel"
import { Context, type Duration, type Effect } from "effect"
import type { Pace } from "../dispatch/Pace.js"

/** The turn of this process to run a campaign. */
export interface CampaignTurn {
  readonly campaign_id: CampaignId
  /** The pace at which another process has left off; null when it is not known, so that the last dial counts. */
  readonly pace: Pace | null
}

/**
 * Turns of processes that share the stores, so that each campaign has one worker at a time. Null, the default, for a
 * process that runs all campaigns by itself.
 */
export class CampaignTurns extends Context.Reference<CampaignTurns>()("@trunkline/campaigns/CampaignTurns", {
  defaultValue: (): CampaignTurns.Service | null => null
}) {}

/** Topic of the hint that a turn has been handed over. */
export const turnTopic = "campaign-turn"

export declare namespace CampaignTurns {
  /** Turns of processes to run campaigns. */
  export interface Service {
    /** Tells the other processes that they may hand turns to this one. */
    readonly begin: Effect.Effect<void>
    /** Takes the turns of open campaigns that no living process has; returns all turns of this process. */
    readonly takeFree: Effect.Effect<ReadonlyArray<CampaignTurn>>
    /** Turns that other processes have handed to this one since the last call. */
    readonly takeTurns: Effect.Effect<ReadonlyArray<CampaignTurn>>
    /** Interval at which to call `takeHanded`, in real time. */
    readonly handedEvery: Duration.Duration
    /**
     * Hands a turn to the process with the fewest calls when that has clearly fewer than this one; true when it has been
     * handed over. Asks the stores only when this process has had the turn for some seconds.
     */
    readonly handOver: (turn: CampaignTurn & { readonly pace: Pace }) => Effect.Effect<boolean>
    /** Gives up the turn of a campaign that is over. */
    readonly end: (campaign: CampaignId) => Effect.Effect<void>
    /** Gives up all turns of this process, which gets no further ones, because it runs no more campaigns. */
    readonly endAll: Effect.Effect<void>
  }
}
