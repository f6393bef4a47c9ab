import { BusinessTime, Ids, nextClosing, type PhoneNumber, scopeKey } from "@trunkline/kernel"
import { type Attempt, AttemptStore } from "@trunkline/telephony"
import { Effect, Either, Exit, Option, type Scope } from "effect"
import { type Campaign, dialWindow } from "../campaign/Campaign.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"
import type { Deferral } from "../contacts/ContactTransitions.js"
import { type Blocker, type LineBlocker, noLimits } from "../gate/Blocker.js"
import { DailyCap, Gate } from "../gate/Gate.js"
import { type ClaimedBatch, type ClaimRequest, type PreparedClaim, stopped } from "./Claims.js"
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

type Batch = Omit<ClaimedBatch, "deadline"> & { readonly deferrals: ReadonlyArray<Deferral> }

/** Claims of a campaign that are made and not stored yet. */
interface UnstoredBatch {
  readonly owned: OwnedCampaign
  readonly now: number
  readonly batch: ClaimedBatch
}

/**
 * Claims the contacts that campaigns may call now. `claimAll` runs in a transaction and reads the campaigns again, so that
 * all changes since `prepare` are respected, and stores all claims in a few steps at its end. The lines that it reserves are
 * given up when the scope closes with a failure.
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
    { agentCommitted, claimed, lines, owned }: PreparedClaim & { readonly claimed: ReadonlySet<PhoneNumber> },
    contacts: ReadonlyArray<Contact>,
    now: number,
    tally: DialTally
  ) =>
    Effect.gen(function*() {
      const check = yield* gate.open(owned, { contacts, now, agentCommitted, claimed })
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

  /** Claims for one campaign; numbers in `claimed` are those that campaigns of its workspace claim in this transaction. */
  const claim = (
    { pace, prepared }: ClaimRequest,
    owned: OwnedCampaign,
    claimed: ReadonlySet<PhoneNumber>
  ): Effect.Effect<UnstoredBatch, never, Scope.Scope> =>
    Effect.gen(function*() {
      const now = yield* BusinessTime.now
      const { campaign, scope } = owned
      const stop = (blocker: Blocker | null) => ({ owned, now, batch: stopped(pace, blocker, now) })
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
      const { agentCommitted, lines } = prepared
      const { deferrals, ...batch } = yield* claimEach({ agentCommitted, lines, owned, claimed }, contacts, now, tally)
      if (deferrals.length > 0) yield* dispatch.defer(campaign.campaign_id, deferrals)
      if (dailyCap < Infinity && batch.claims.length > 0) {
        yield* dispatch.recordDials(scope, now, batch.claims.map(({ attempt }) => attempt.user_phone_number))
      }
      return { owned, now, batch: { ...batch, deadline: endOfDialling(campaign, now) } }
    })

  const store = (all: ReadonlyArray<UnstoredBatch>) =>
    Effect.suspend(() => {
      const made = all.filter(({ batch }) => batch.claims.length > 0)
      if (made.length === 0) return Effect.void
      const stored = attempts.insertMany(made.flatMap(({ batch }) => batch.claims.map(({ attempt }) => attempt)))
      return Effect.zipRight(
        stored,
        dispatch.claimMany(made.map(({ batch, now, owned: { campaign: { campaign_id }, scope } }) => ({
          scope,
          campaign_id,
          at: now,
          claims: batch.claims.map(({ attempt: { agent_phone_number, attempt_id, user_phone_number } }) => ({
            user_phone_number,
            attempt_id,
            from: agent_phone_number
          }))
        })))
      )
    })

  const claimAll = (
    requests: ReadonlyArray<ClaimRequest>
  ): Effect.Effect<ReadonlyArray<ClaimedBatch>, never, Scope.Scope> =>
    Effect.gen(function*() {
      const ids = requests.map(({ prepared }) => prepared.owned.campaign.campaign_id)
      yield* dispatch.hold(ids)
      const owners = yield* campaigns.findOwnedMany(ids)
      const claimed = new Map<string, Set<PhoneNumber>>()
      const unstored: Array<UnstoredBatch> = []
      const batches: Array<ClaimedBatch> = []
      for (const request of requests) {
        const owned = owners.get(request.prepared.owned.campaign.campaign_id)
        if (owned === undefined) {
          batches.push(stopped(request.pace, null, yield* BusinessTime.now))
          continue
        }
        const key = scopeKey(owned.scope)
        const numbers = claimed.get(key) ?? new Set<PhoneNumber>()
        claimed.set(key, numbers)
        const made = yield* claim(request, owned, numbers)
        for (const { attempt } of made.batch.claims) numbers.add(attempt.user_phone_number)
        unstored.push(made)
        batches.push(made.batch)
      }
      yield* store(unstored)
      return batches
    })

  const prepare = (owned: OwnedCampaign): Effect.Effect<PreparedClaim> =>
    Effect.zipWith(
      dialLines.known(owned),
      gate.agentCommitted(owned),
      (lines, agentCommitted) => ({ owned, lines, agentCommitted })
    )

  return { prepare, claimAll, blockedCommitted: blockedAttempts.committed }
})

const endOfDialling = (campaign: Campaign, now: number): number =>
  Math.min(nextClosing(dialWindow(campaign.allowed_schedule), now), campaign.end_timestamp.epochMillis)
