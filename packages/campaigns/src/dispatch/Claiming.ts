import { BusinessTime, Ids, makeCounter, nextClosing, type PhoneNumber, scopeKey } from "@trunkline/kernel"
import { type Attempt, AttemptStore } from "@trunkline/telephony"
import { Effect, Either, Exit, Option, type Scope } from "effect"
import { dialWindow } from "../campaign/AllowedSchedule.js"
import type { Campaign } from "../campaign/Campaign.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"
import type { CampaignClaims, Deferral } from "../contacts/ContactTransitions.js"
import { GateReason } from "../contacts/GateResult.js"
import { type Blocker, type LineBlocker, noLimits } from "../gate/Blocker.js"
import { DailyCap, Gate, type GateCheck, type GateRequest } from "../gate/Gate.js"
import { DialLog } from "../store/DialLog.js"
import { DialQueue } from "../store/DialQueue.js"
import { type ClaimedAttempt, type ClaimedBatch, type ClaimRequest, type PreparedClaim, stopped } from "./Claims.js"
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
import { makeBlockedAttempts, makeNewAttempt } from "./NewAttempt.js"
import { type Pace, paceOnLines } from "./Pace.js"

type Batch = Omit<ClaimedBatch, "deadline"> & { readonly deferrals: ReadonlyArray<Deferral> }

/** Contacts of a campaign that are due, for the gate to decide about. */
interface DueContacts extends GateRequest {
  readonly _tag: "Due"
  readonly request: ClaimRequest
  readonly contacts: ReadonlyArray<Contact>
  readonly claimedNumbers: Set<PhoneNumber>
}

/** A campaign that claims nobody. */
interface Stopped {
  readonly _tag: "Stopped"
  readonly batch: ClaimedBatch
}

const gateRefusals = makeCounter({
  name: "trunkline_gate_refusals_total",
  help: "Contacts that were due and that the gate put off or ruled out",
  labels: { reason: GateReason.literals }
})

/**
 * Claims the contacts that campaigns may call now. `claimAll` runs in a transaction and reads the campaigns again, so that
 * all changes since `prepare` are respected, and stores all claims in a few steps at its end. The lines that it reserves are
 * given up when the scope closes with a failure.
 */
export const makeClaiming = Effect.gen(function*() {
  const campaigns = yield* CampaignStore
  const [queue, log, attempts, gate] = [yield* DialQueue, yield* DialLog, yield* AttemptStore, yield* Gate]
  const [ids, dailyCap] = [yield* Ids, yield* DailyCap]
  const [dialLines, newAttempt] = [yield* makeDialLines, yield* makeNewAttempt]
  const blockedAttempts = yield* makeBlockedAttempts

  /** Lines that are given up when the scope closes with a failure. */
  const makeReserved = Effect.map(
    Effect.acquireRelease(
      Effect.sync((): Array<TakenLine> => []),
      (reservations, exit) =>
        Exit.isFailure(exit) ? Effect.forEach(reservations, ({ giveUp }) => giveUp, { discard: true }) : Effect.void
    ),
    (reservations) => (line: Either.Either<TakenLine, LineBlocker>) => {
      if (Either.isRight(line)) reservations.push(line.right)
      return line
    }
  )

  /** Reserves the next line for a contact; with rotation one with a number that the contact has not been called from. */
  const takeLine = (
    ownedCampaign: OwnedCampaign,
    contact: Contact,
    lines: ReadonlyArray<KnownLine>,
    tally: DialTally
  ): Effect.Effect<Either.Either<TakenLine, LineBlocker>> =>
    dialLines.take(ownedCampaign, linesToTry(ownedCampaign.campaign.app_config, lines, tally, contact.called_from))

  const attemptOn = (
    ownedCampaign: OwnedCampaign,
    contact: Contact,
    takenLine: TakenLine,
    tally: DialTally,
    now: number
  ) =>
    Effect.gen(function*() {
      const { agent: isRotated } = ownedCampaign.campaign.app_config.phone_rotation
      const rotation = isRotated ? { calledFrom: contact.called_from } : null
      const { connection, index, line } = takenLine
      const from = Option.getOrThrow(Option.fromNullable(callerNumber(line, tally[index] ?? 0, rotation)))
      const attempt = newAttempt(ownedCampaign, contact, {
        attempt_id: yield* ids.attemptId,
        attempted_at: now,
        connection_id: connection.connection_id,
        connection: Option.some(connection),
        from
      })
      return { attempt, line: takenLine }
    })

  /** Handles due contacts in order, until no line is free. */
  const claimEach = (
    { contacts, now, ownedCampaign, request: { pace, preparation: { lines } } }: DueContacts,
    check: GateCheck
  ) =>
    Effect.gen(function*() {
      const reserve = yield* makeReserved
      const { tally } = paceOnLines(pace, ownedCampaign.campaign.app_config.connection_configs)
      let batch: Batch = { claims: [], blockedAttempts: [], deferrals: [], tally, blocker: null }
      for (const contact of contacts) {
        const decision = check(contact, noLimits)
        if (decision.verdict !== "allow") gateRefusals.add(1, { reason: decision.reason })
        const step = contactStep({ contact, gate: decision, line: lines[0] })
        switch (step._tag) {
          case "RecordBlocked": {
            const blocks = yield* blockedAttempts.record(ownedCampaign, contact, step.line, now)
            batch = { ...batch, blockedAttempts: [...batch.blockedAttempts, ...blocks] }
            break
          }
          case "Finish":
            yield* queue.finish(contact.campaign_id, [contact.user_phone_number], step.decision)
            break
          case "Defer":
            batch = { ...batch, deferrals: [...batch.deferrals, step.deferral] }
            break
          case "Claim": {
            const reservation = Effect.map(takeLine(ownedCampaign, contact, lines, batch.tally), reserve)
            const line = yield* Effect.uninterruptible(reservation)
            if (Either.isLeft(line)) return { ...batch, blocker: line.left }
            const claim = yield* attemptOn(ownedCampaign, contact, line.right, batch.tally, now)
            const nextTally = countDial(batch.tally, line.right.index)
            batch = { ...batch, claims: [...batch.claims, claim], tally: nextTally }
          }
        }
      }
      return batch
    })

  /** Looks for the contacts of a campaign that are due; `claimedNumbers` are those that its workspace claims before it. */
  const look = (
    request: ClaimRequest,
    ownedCampaign: OwnedCampaign,
    claimedNumbers: Set<PhoneNumber>
  ): Effect.Effect<DueContacts | Stopped> =>
    Effect.gen(function*() {
      const { pace, preparation: { isAgentCommitted, ownedCampaign: { campaign: preparedCampaign } } } = request
      const now = yield* BusinessTime.now
      const budget = yield* gate.budget(ownedCampaign)
      const step = batchStep({
        now,
        preparedCampaign,
        current: ownedCampaign.campaign,
        gate: gate.now(ownedCampaign, { now, isAgentCommitted, budget }),
        pace,
        budget
      })
      if (step._tag === "Stop") return stop(pace, step.blocker, now)
      const contacts = yield* queue.ready(ownedCampaign.campaign.campaign_id, now, step.limit)
      if (contacts.length === 0) return stop(pace, { _tag: "NoneDue" }, now)
      return { _tag: "Due", request, ownedCampaign, contacts, now, isAgentCommitted, budget, claimedNumbers }
    })

  const claim = (due: DueContacts, check: GateCheck): Effect.Effect<ClaimedBatch, never, Scope.Scope> =>
    Effect.gen(function*() {
      const { claimedNumbers, now, ownedCampaign: { campaign, scope } } = due
      const { deferrals, ...batch } = yield* claimEach(due, check)
      const numbers = batch.claims.map(({ attempt }) => attempt.user_phone_number)
      for (const number of numbers) claimedNumbers.add(number)
      if (deferrals.length > 0) yield* queue.defer(campaign.campaign_id, deferrals)
      if (dailyCap < Infinity && numbers.length > 0) yield* log.recordDials(scope, now, numbers)
      return { ...batch, deadline: endOfDialling(campaign, now) }
    })

  const store = (claims: ReadonlyArray<CampaignClaims & { readonly attempts: ReadonlyArray<Attempt> }>) =>
    claims.length === 0
      ? Effect.void
      : Effect.zipRight(attempts.insertMany(claims.flatMap((one) => one.attempts)), queue.claimMany(claims))

  const claimAll = (
    requests: ReadonlyArray<ClaimRequest>
  ): Effect.Effect<ReadonlyArray<ClaimedBatch>, never, Scope.Scope> =>
    Effect.gen(function*() {
      const ids = requests.map(({ preparation }) => preparation.ownedCampaign.campaign.campaign_id)
      const isCounted = requests.some(({ preparation }) => preparation.ownedCampaign.campaign.app_config.budget != null)
      yield* queue.hold(ids, { isCounted })
      const owners = yield* campaigns.findOwnedMany(ids)
      const numbersByScope = new Map<string, Set<PhoneNumber>>()
      const results = yield* Effect.forEach(requests, (request) => {
        const ownedCampaign = owners.get(request.preparation.ownedCampaign.campaign.campaign_id)
        if (ownedCampaign === undefined) return Effect.map(BusinessTime.now, (now) => stop(request.pace, null, now))
        const key = scopeKey(ownedCampaign.scope)
        const numbers = numbersByScope.get(key) ?? new Set<PhoneNumber>()
        numbersByScope.set(key, numbers)
        return look(request, ownedCampaign, numbers)
      })
      const due = results.filter((one) => one._tag === "Due")
      const batches = new Map<DueContacts | Stopped, ClaimedBatch>()
      const rows: Array<ReturnType<typeof claimsOf>> = []
      const checks = yield* gate.open(due)
      for (const [index, one] of due.entries()) {
        const check = checks[index]
        if (check === undefined) continue
        const batch = yield* claim(one, check)
        batches.set(one, batch)
        if (batch.claims.length > 0) rows.push(claimsOf(one.ownedCampaign, batch.claims, one.now))
      }
      yield* store(rows)
      return results.flatMap((one) => one._tag === "Due" ? batches.get(one) ?? [] : one.batch)
    })

  const prepare = (ownedCampaign: OwnedCampaign): Effect.Effect<PreparedClaim> =>
    Effect.zipWith(
      dialLines.linesOf(ownedCampaign),
      gate.isAgentCommitted(ownedCampaign),
      (lines, isAgentCommitted) => ({ ownedCampaign, lines, isAgentCommitted })
    )

  return { prepare, claimAll, blockedCommitted: blockedAttempts.committed }
})

const stop = (pace: Pace, blocker: Blocker | null, now: number): Stopped => ({
  _tag: "Stopped",
  batch: stopped(pace, blocker, now)
})

/** The claims of a campaign as they are stored, with their attempts. */
const claimsOf = (
  { campaign: { campaign_id }, scope }: OwnedCampaign,
  claims: ReadonlyArray<ClaimedAttempt>,
  at: number
) => ({
  scope,
  campaign_id,
  at,
  isDialled: true,
  attempts: claims.map(({ attempt }) => attempt),
  claims: claims.map(({ attempt: { agent_phone_number, attempt_id, user_phone_number } }) => ({
    user_phone_number,
    attempt_id,
    from: agent_phone_number
  }))
})

const endOfDialling = (campaign: Campaign, now: number): number =>
  Math.min(nextClosing(dialWindow(campaign.allowed_schedule), now), campaign.end_timestamp.epochMillis)
