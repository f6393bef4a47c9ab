import {
  BusinessTime,
  FaultPoints,
  isStoreOutage,
  makeBatches,
  scopedTransaction,
  Transactions
} from "@trunkline/kernel"
import { type Attempt, LiveCalls } from "@trunkline/telephony"
import { Cause, Chunk, Context, Effect, FiberSet, Layer } from "effect"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Blocker } from "../gate/Blocker.js"
import { CampaignCalls } from "./CampaignCalls.js"
import { makeClaiming } from "./Claiming.js"
import type { ClaimedAttempt, ClaimRequest } from "./Claims.js"
import { afterDial, type Pace, paceOnLines } from "./Pace.js"
import { makeSendTurns } from "./SendTurns.js"

/** Result of one round of dialling. */
export interface DialRound {
  /** Number of calls that have been started. */
  readonly placedCalls: number
  readonly pace: Pace
  /** The reason why the campaign places no further call now; null when it may be looked at again at once. */
  readonly blocker: Blocker | null
}

/** Most campaigns whose claims share a transaction, so that none holds up the store for long. */
const maxCampaignsPerClaim = 16

/** Places the calls of campaigns. Commits a claim of each attempt before it dials. */
export class Dialler extends Context.Tag("@trunkline/campaigns/Dialler")<Dialler, {
  /**
   * Calls the contacts that are due, as far as the gate, the rate and free lines allow. Claims all of them in one
   * transaction, which campaigns that are due at the same time share.
   */
  readonly dial: (ownedCampaign: OwnedCampaign, pace: Pace) => Effect.Effect<DialRound>
}>() {
  static readonly layer = Layer.scoped(
    Dialler,
    Effect.gen(function*() {
      const live = yield* LiveCalls
      const calls = yield* CampaignCalls
      const transactions = yield* Transactions
      const faults = yield* FaultPoints
      const claiming = yield* makeClaiming
      const afterClaim = faults.after("claim.kept")

      const withdrawals = yield* FiberSet.make<void>()

      /** Withdraws attempts that may have been claimed: the database was lost as it committed. Others are not known to it. */
      const withdrawLater = (attempts: ReadonlyArray<Attempt>) =>
        Effect.forEach(attempts, (attempt) => FiberSet.run(withdrawals, calls.withdraw(attempt)), { discard: true })

      const claims = yield* makeBatches({
        limit: maxCampaignsPerClaim,
        run: (requests: ReadonlyArray<ClaimRequest>) =>
          Effect.suspend(() => {
            let attempts: ReadonlyArray<Attempt> = []
            const claimAll = Effect.tap(claiming.claimAll(requests), (batches) =>
              Effect.sync(() => {
                attempts = batches.flatMap(({ claims }) => claims.map(({ attempt }) => attempt))
              }))
            return Effect.tapErrorCause(
              scopedTransaction(transactions.runGuarded, claimAll),
              (cause) => Chunk.some(Cause.defects(cause), isStoreOutage) ? withdrawLater(attempts) : Effect.void
            )
          })
      })

      const turnOf = makeSendTurns()

      const start = ({ attempt, line }: ClaimedAttempt, deadline: number, turn: Effect.Effect<void>) =>
        Effect.flatMap(
          live.start(Effect.ensuring(calls.carryOut(attempt, deadline, turn), line.release)),
          (isStarted) => isStarted ? Effect.void : Effect.ensuring(calls.withdraw(attempt), line.giveUp)
        )

      const dial = (ownedCampaign: OwnedCampaign, before: Pace) =>
        Effect.gen(function*() {
          const preparedClaim = yield* claiming.prepare(ownedCampaign)
          const claimedBatch = yield* afterClaim(claims.submit({ preparation: preparedClaim, pace: before }))
          const { blockedAttempts, blocker, deadline, tally } = claimedBatch
          const now = yield* BusinessTime.now
          const { attempts_per_second, connection_configs } = ownedCampaign.campaign.app_config
          let pace: Pace = { ...paceOnLines(before, connection_configs), tally }
          for (const claim of claimedBatch.claims) {
            pace = afterDial(pace, attempts_per_second, { claimedAt: claim.attempt.attempted_at, dialledAt: now })
            yield* start(claim, deadline, turnOf(ownedCampaign.campaign))
          }
          if (blockedAttempts.length > 0) yield* claiming.blockedCommitted(blockedAttempts)
          return { placedCalls: claimedBatch.claims.length, pace, blocker }
        })

      return Dialler.of({ dial: (ownedCampaign, pace) => Effect.uninterruptible(dial(ownedCampaign, pace)) })
    })
  )
}
