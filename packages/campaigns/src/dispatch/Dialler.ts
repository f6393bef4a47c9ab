import { BusinessTime, FaultPoints, Transactions } from "@trunkline/kernel"
import { LiveCalls } from "@trunkline/telephony"
import { Context, Effect, Layer } from "effect"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import { CampaignCalls } from "./CampaignCalls.js"
import { type ClaimedAttempt, makeClaiming, type Why } from "./Claiming.js"
import type { TakenLine } from "./DialLines.js"
import { afterDial, onLines, type Pace } from "./Pace.js"

/** What came of wanting to dial. */
export interface DialStep {
  /** Calls that are on their way now. */
  readonly placed: number
  readonly pace: Pace
  /** What keeps the campaign from dialling on. */
  readonly why: Why
}

/** Places the calls of campaigns: makes the intent durable, and only then dials. */
export class Dialler extends Context.Tag("@trunkline/campaigns/Dialler")<Dialler, {
  /**
   * Dials everybody whom the campaign may call at this moment: who is due, as far as the rate allows and lines are free.
   * All of them are claimed in one transaction, which asks the gate about each.
   */
  readonly dial: (owned: OwnedCampaign, pace: Pace) => Effect.Effect<DialStep>
}>() {
  static readonly layer = Layer.effect(
    Dialler,
    Effect.gen(function*() {
      const live = yield* LiveCalls
      const calls = yield* CampaignCalls
      const transactions = yield* Transactions
      const faults = yield* FaultPoints
      const claiming = yield* makeClaiming

      const start = ({ attempt, taken }: ClaimedAttempt, deadline: number) =>
        Effect.gen(function*() {
          const call = Effect.ensuring(calls.carryOut(attempt, deadline), taken.release)
          if (yield* live.start(call)) return
          yield* Effect.ensuring(calls.withdraw(attempt), taken.giveUp)
        })

      const dial = (owned: OwnedCampaign, before: Pace) =>
        Effect.gen(function*() {
          const held: Array<TakenLine> = []
          const giveUp = (lines: ReadonlyArray<TakenLine>) =>
            Effect.forEach(lines, (line) => line.giveUp, { discard: true })
          const prepared = yield* claiming.prepare(owned)
          const { claims, deadline, refused, tally, why } = yield* transactions.run(
            claiming.claim(prepared, before, held)
          ).pipe(faults.after("claim.kept"), Effect.onError(() => giveUp(held)))
          if (held.length > claims.length) {
            yield* giveUp(held.filter((line) => claims.every(({ taken }) => taken !== line)))
          }
          const made = yield* BusinessTime.now
          const { attempts_per_second, connection_configs } = owned.campaign.app_config
          let pace: Pace = { ...onLines(before, connection_configs), tally }
          for (const claim of claims) {
            pace = afterDial(pace, attempts_per_second, { claimed: claim.attempt.attempted_at, made })
            yield* start(claim, deadline)
          }
          if (refused.length > 0) yield* claiming.refusedKept(refused)
          return { placed: claims.length, pace, why }
        })

      return Dialler.of({ dial: (owned, pace) => Effect.uninterruptible(dial(owned, pace)) })
    })
  )
}
