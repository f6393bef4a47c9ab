import type { Attempt } from "@trunkline/telephony"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Blocker } from "../gate/Blocker.js"
import type { DialTally, KnownLine, TakenLine } from "./DialLines.js"
import type { Pace } from "./Pace.js"

/** A claimed attempt and the line that is reserved for it. */
export interface ClaimedAttempt {
  readonly attempt: Attempt
  readonly line: TakenLine
}

/** Result of a claim. */
export interface ClaimedBatch {
  readonly claims: ReadonlyArray<ClaimedAttempt>
  /** Attempts to call blocked numbers, which have ended without a dial. */
  readonly blockedAttempts: ReadonlyArray<Attempt>
  readonly tally: DialTally
  /** The end of the window or of the campaign, epoch milliseconds of business time. */
  readonly deadline: number
  /** Null when the campaign may be looked at again at once. */
  readonly blocker: Blocker | null
}

/** Facts about a campaign that are looked up before its transaction, because that may leave the process. */
export interface PreparedClaim {
  readonly ownedCampaign: OwnedCampaign
  readonly lines: ReadonlyArray<KnownLine>
  readonly isAgentCommitted: boolean
}

/** A claim to make: what is known about the campaign, and its pace. */
export interface ClaimRequest {
  readonly preparation: PreparedClaim
  readonly pace: Pace
}

/** The result of a claim that was stopped before it claimed a contact. */
export const stopped = ({ tally }: Pace, blocker: Blocker | null, now: number): ClaimedBatch => ({
  claims: [],
  blockedAttempts: [],
  tally,
  deadline: now,
  blocker
})
