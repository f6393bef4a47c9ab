import { type CampaignId, type CanaryArm, MemoryTable } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { type CanaryFigures, noFigures } from "./Evidence.js"

/** A conversation that counts for a canary. */
export interface MeasuredCall {
  readonly campaign_id: CampaignId
  /** Number of the canary in its campaign. */
  readonly number: number
  readonly arm: CanaryArm
  readonly isSuccess: boolean
}

/** Counts of the conversations of canaries. Every write joins the running transaction. */
export class CanaryCounts extends Context.Tag("@trunkline/campaigns/CanaryCounts")<CanaryCounts, {
  /** Counts conversations that have ended. */
  readonly addMany: (calls: ReadonlyArray<MeasuredCall>) => Effect.Effect<void>
  /** The counts of a canary, also of calls that other processes carried. */
  readonly of: (campaign: CampaignId, number: number) => Effect.Effect<CanaryFigures>
}>() {
  /** Counts in memory. */
  static readonly layerMemory = Layer.sync(CanaryCounts, () => {
    const rows = MemoryTable.make<string, CanaryFigures>()
    const keyOf = (campaign: CampaignId, number: number) => `${campaign}/${number}`
    const figuresOf = (key: string): CanaryFigures => rows.get(key) ?? noFigures
    return CanaryCounts.of({
      addMany: (calls) =>
        Effect.forEach(
          calls,
          (call) =>
            Effect.suspend(() => {
              const key = keyOf(call.campaign_id, call.number)
              return rows.set(key, addCall(figuresOf(key), call))
            }),
          { discard: true }
        ),
      of: (campaign, number) => Effect.sync(() => figuresOf(keyOf(campaign, number)))
    })
  })
}

/** The counts with one more conversation. */
const addCall = (
  figures: CanaryFigures,
  { arm, isSuccess }: Pick<MeasuredCall, "arm" | "isSuccess">
): CanaryFigures => {
  const { conversations, successes } = figures[arm]
  return {
    ...figures,
    [arm]: { conversations: conversations + 1, successes: successes + (isSuccess ? 1 : 0) }
  }
}
