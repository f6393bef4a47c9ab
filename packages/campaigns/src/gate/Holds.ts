import type { CampaignId } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { LineFact } from "./Check.js"

/** What a campaign's dialler met when it last looked. */
export interface Standing {
  readonly line: LineFact
  /** The earliest moment of the next dial by the rate, epoch milliseconds of business time. */
  readonly nextDialAt: number
}

/** A campaign that nothing keeps from dialling. */
export const unhindered: Standing = { line: { _tag: "Free" }, nextDialAt: 0 }

/** What keeps the campaigns that run in this process from dialling on, as far as their lines and their rate do. */
export class Holds extends Context.Tag("@trunkline/campaigns/Holds")<Holds, {
  readonly of: (campaign: CampaignId) => Effect.Effect<Standing>
  readonly set: (campaign: CampaignId, standing: Standing) => Effect.Effect<void>
  /** Forgets a campaign that is over. */
  readonly forget: (campaign: CampaignId) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.sync(Holds, () => {
    const standings = new Map<CampaignId, Standing>()
    return Holds.of({
      of: (campaign) => Effect.sync(() => standings.get(campaign) ?? unhindered),
      set: (campaign, standing) => Effect.sync(() => void standings.set(campaign, standing)),
      forget: (campaign) => Effect.sync(() => void standings.delete(campaign))
    })
  })
}
