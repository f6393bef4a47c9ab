import { Either } from "effect"
import type { CampaignAction, CampaignStatus } from "./Campaign.js"

/** Whether a campaign has come to its end for good. */
export const isOver = (status: CampaignStatus): boolean => status === "ended" || status === "cancelled"

/** Whether a campaign may be changed: only while scheduled or paused (specification, Campaign states). */
export const isEditable = (status: CampaignStatus): boolean => status === "scheduled" || status === "paused"

/**
 * The status that an action leads to, or why it is refused (shapes 3.7). `started` tells whether the start time has
 * come: a campaign resumed before it goes back to `scheduled`.
 */
export const actOn = (
  status: CampaignStatus,
  action: CampaignAction,
  started: boolean
): Either.Either<CampaignStatus, string> => {
  if (isOver(status)) return Either.left(`The campaign is ${status}; nothing can be done with it any more`)
  switch (action) {
    case "cancel":
      return Either.right("cancelled")
    case "pause":
      return status === "paused" ? Either.left("The campaign is paused already") : Either.right("paused")
    case "resume":
      return status === "paused"
        ? Either.right(started ? "active" : "scheduled")
        : Either.left(`Only a paused campaign can be resumed; this one is ${status}`)
  }
}
