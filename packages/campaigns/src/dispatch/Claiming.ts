import { BusinessTime, Ids, nextClosing } from "@trunkline/kernel"
import { type Attempt, AttemptStore } from "@trunkline/telephony"
import { Effect, Either, Exit, Option, type Scope } from "effect"
import { type Campaign, dialWindow } from "../campaign/Campaign.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"
import type { Deferral } from "../contacts/ContactTransitions.js"
import { type Blocker, type LineBlocker, noLimits } from "../gate/Blocker.js"
import { DailyCap, Gate } from "../gate/Gate.js"
import { batchStep, contactStep } from "./ClaimSteps.js"
import {
  callerNumber,
  countDial,
  type DialTally,
  type KnownLine,
  linesToTry,
  makeDialLines,
  type TakenLine
} from "./DialLines.js"
import { DispatchStore } from "./DispatchStore.js"
import { makeBlockedAttempts, makeNewAttempt } from "./NewAttempt.js"
import { type Pace, paceOnLines } from "./Pace.js"

/** A claimed attempt and the line that is reserved for it. */
export interface ClaimedAttempt {
  readonly attempt: Attempt
  readonly taken: TakenLine
}

/** Result of a claim. */
export interface ClaimedBatch {
  readonly claims: ReadonlyArray<ClaimedAttempt>
  /** Attempts to call blocked numbers, which have ended without a dial. */
  readonly blocked: ReadonlyArray<Attempt>
  readonly tally: DialTally
  /** The end of the window or of the campaign, epoch milliseconds of business time. */
  readonly deadline: number
  /** Null when the campaign may be looked at again at once. */
  readonly blocker: Blocker | null
}

/** Facts about a campaign that are looked up before its transaction, because that may leave the process. */
export interface PreparedClaim {
  readonly owned: OwnedCampaign
  readonly lines: ReadonlyArray<KnownLine>
  readonly agentCommitted: boolean
}

/** A claim to make: what is known about the campaign, and its pace. */
export interface ClaimRequest {
  readonly prepared: PreparedClaim
  readonly pace: Pace
}

type Batch = Omit<ClaimedBatch, "deadline"> & { readonly deferrals: ReadonlyArray<Deferral> }

/**
 * Claims the contacts that a campaign may call now. `claim` runs in a transaction and reads the campaign again, so that
 * all changes since `prepare` are respected. The lines that it reserves are given up when the scope closes with a failure.
 */
export const makeClaiming = Effect.gen(function*() {
  const campaigns = yield* CampaignStore
  const dispatch = yield* DispatchStore
  const attempts = yield* AttemptStore
  const gate = yield* Gate
  const ids = yield* Ids
  const dailyCap = yield* DailyCap
  const dialLines = yield* makeDialLines
  const newAttempt = yield* makeNewAttempt
  const blockedAttempts = yield* makeBlockedAttempts

  /** Lines that are given up when the scope closes with a failure. */
  const makeReserved = Effect.map(
    Effect.acquireRelease(
      Effect.sync((): Array<TakenLine> => []),
      (reserved, exit) =>
        Exit.isFailure(exit) ? Effect.forEach(reserved, ({ giveUp }) => giveUp, { discard: true }) : Effect.void
    ),
    (reserved) => (taken: Either.Either<TakenLine, LineBlocker>) => {
      if (Either.isRight(taken)) reserved.push(taken.right)
      return taken
    }
  )

  /** Reserves the next line for a contact; with rotation one with a number that the contact has not been called from. */
  const takeLine = (
    owned: OwnedCampaign,
    contact: Contact,
    lines: ReadonlyArray<KnownLine>,
    tally: DialTally
  ): Effect.Effect<Either.Either<TakenLine, LineBlocker>> =>
    dialLines.take(owned, linesToTry(owned.campaign.app_config, lines, tally, contact.called_from))

  const attemptOn = (
    owned: OwnedCampaign,
    contact: Contact,
    taken: TakenLine,
    tally: DialTally,
    now: number
  ) =>
    Effect.gen(function*() {
      const rotation = owned.campaign.app_config.phone_rotation.agent ? { calledFrom: contact.called_from } : null
      const { connection, index, line } = taken
      const from = Option.getOrThrow(Option.fromNullable(callerNumber(line, tally[index] ?? 0, rotation)))
      const attempt = newAttempt(owned, contact, {
        attempt_id: yield* ids.attemptId,
        attempted_at: now,
        connection_id: connection.connection_id,
        connection: Option.some(connection),
        from
      })
      return { attempt, taken }
    })

  /** Handles due contacts in order, until no line is free. */
  const claimEach = (
    { agentCommitted, lines, owned }: PreparedClaim,
    contacts: ReadonlyArray<Contact>,
    now: number,
    tally: DialTally
  ) =>
    Effect.gen(function*() {
      const check = yield* gate.open(owned, { contacts, now, agentCommitted })
      const reserve = yield* makeReserved
      let batch: Batch = { claims: [], blocked: [], deferrals: [], tally, blocker: null }
      for (const contact of contacts) {
        const step = contactStep({ contact, gate: check(contact, noLimits), line: lines[0] })
        switch (step._tag) {
          case "RecordBlocked": {
            const ended = yield* blockedAttempts.record(owned, contact, step.line, now)
            batch = { ...batch, blocked: [...batch.blocked, ...ended] }
            break
          }
          case "Finish":
            yield* dispatch.finish(contact.campaign_id, [contact.user_phone_number], step.decision)
            break
          case "Defer":
            batch = { ...batch, deferrals: [...batch.deferrals, step.deferral] }
            break
          case "Claim": {
            const taken = yield* Effect.uninterruptible(
              Effect.map(takeLine(owned, contact, lines, batch.tally), reserve)
            )
            if (Either.isLeft(taken)) return { ...batch, blocker: taken.left }
            const claim = yield* attemptOn(owned, contact, taken.right, batch.tally, now)
            const counted = countDial(batch.tally, taken.right.index)
            batch = { ...batch, claims: [...batch.claims, claim], tally: counted }
          }
        }
      }
      return batch
    })

  const store = ({ campaign: { campaign_id }, scope }: OwnedCampaign, { claims, deferrals }: Batch, now: number) =>
    Effect.gen(function*() {
      if (deferrals.length > 0) yield* dispatch.defer(campaign_id, deferrals)
      if (claims.length === 0) return
      yield* attempts.insertMany(claims.map(({ attempt }) => attempt))
      yield* dispatch.claim(
        { scope, campaign_id },
        claims.map(({ attempt }) => ({
          user_phone_number: attempt.user_phone_number,
          attempt_id: attempt.attempt_id,
          from: attempt.agent_phone_number
        })),
        now
      )
      yield* dispatch.addDials(campaign_id, now, claims.length)
      if (dailyCap < Infinity) {
        yield* dispatch.recordDials(scope, now, claims.map(({ attempt }) => attempt.user_phone_number))
      }
    })

  const claim = ({ pace, prepared }: ClaimRequest): Effect.Effect<ClaimedBatch, never, Scope.Scope> =>
    Effect.gen(function*() {
      const owned = Option.getOrNull(yield* campaigns.findOwned(prepared.owned.campaign.campaign_id))
      const now = yield* BusinessTime.now
      const stop = (blocker: Blocker | null): ClaimedBatch => ({
        claims: [],
        blocked: [],
        tally: pace.tally,
        deadline: now,
        blocker
      })
      if (owned === null) return stop(null)
      const { campaign } = owned
      const step = batchStep({
        now,
        prepared: prepared.owned.campaign,
        current: campaign,
        gate: gate.now(owned, { now, agentCommitted: prepared.agentCommitted }),
        pace
      })
      if (step._tag === "Stop") return stop(step.blocker)
      const contacts = yield* dispatch.ready(campaign.campaign_id, now, step.limit)
      if (contacts.length === 0) return stop({ _tag: "NoneDue" })
      const { tally } = paceOnLines(pace, campaign.app_config.connection_configs)
      const { deferrals, ...batch } = yield* claimEach({ ...prepared, owned }, contacts, now, tally)
      yield* store(owned, { ...batch, deferrals }, now)
      return { ...batch, deadline: endOfDialling(campaign, now) }
    })

  const prepare = (owned: OwnedCampaign): Effect.Effect<PreparedClaim> =>
    Effect.zipWith(
      dialLines.known(owned),
      gate.agentCommitted(owned),
      (lines, agentCommitted) => ({ owned, lines, agentCommitted })
    )

  return { prepare, claim, blockedCommitted: blockedAttempts.committed }
})

const endOfDialling = (campaign: Campaign, now: number): number =>
  Math.min(nextClosing(dialWindow(campaign.allowed_schedule), now), campaign.end_timestamp.epochMillis)
