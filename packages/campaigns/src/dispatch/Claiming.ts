import { BusinessTime, closesAt, Ids, type PhoneNumber } from "@trunkline/kernel"
import { type Attempt, AttemptStore } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { type Campaign, dialWindow } from "../campaign/Campaign.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Contact } from "../contacts/Contact.js"
import { DailyCap } from "../gate/DailyCap.js"
import type { Decision } from "../gate/Decision.js"
import { Gate } from "../gate/Gate.js"
import { unhindered } from "../gate/Holds.js"
import { type KnownLine, makeDialLines, type NoLine, type TakenLine } from "./DialLines.js"
import { type Deferral, DispatchStore } from "./DispatchStore.js"
import { makeNewAttempt } from "./NewAttempt.js"
import { type DialTally, hasFresh, lineOrder, numberOf } from "./NumberChoice.js"
import { allowance, MAX_TOGETHER, nextDialAt, onLines, type Pace, tallied } from "./Pace.js"
import { makeRefusals } from "./Refusals.js"

/** An attempt that is kept as claimed, and the line that it has. */
export interface ClaimedAttempt {
  readonly attempt: Attempt
  readonly taken: TakenLine
}

/** What a look at a campaign came to, as it is kept. */
export interface Claimed {
  readonly claims: ReadonlyArray<ClaimedAttempt>
  readonly refused: ReadonlyArray<Attempt>
  readonly tally: DialTally
  /** When the window shuts or the campaign ends, epoch milliseconds of business time. */
  readonly deadline: number
  readonly why: Why
}

/** What keeps a campaign from dialling on. */
export type Why =
  /** Nothing: it may be looked at again at once. */
  | { readonly _tag: "Nothing" }
  /** The rate allows no dial before `at`. */
  | { readonly _tag: "Rate"; readonly at: number }
  /** Nobody is due. */
  | { readonly _tag: "Nobody" }
  /** The campaign does not dial now. */
  | { readonly _tag: "Held"; readonly decision: Decision }
  | { readonly _tag: "NoLine"; readonly line: NoLine }

/** What is known of a campaign before its transaction begins, since asking for it may lead outside. */
export interface Prepared {
  readonly owned: OwnedCampaign
  readonly lines: ReadonlyArray<KnownLine>
  readonly agentCommitted: boolean
}

const nothing = { _tag: "Nothing" } as const

/**
 * Claims everybody whom a campaign may call at this moment, within one transaction. It reads the campaign again: what has
 * been changed since it was prepared holds, and where that is about its agent or lines, nothing is claimed.
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
  const refusals = yield* makeRefusals

  const takeFor = (owned: OwnedCampaign, contact: Contact, lines: ReadonlyArray<KnownLine>, tally: DialTally) => {
    const { connection_configs, phone_rotation } = owned.campaign.app_config
    const order = lineOrder(connection_configs, tally).flatMap((index) => lines[index] ?? [])
    const fresh = phone_rotation.agent ? order.filter(({ line }) => hasFresh(line, contact.called_from)) : []
    return dialLines.take(owned, fresh.length > 0 ? fresh : order)
  }

  const claimOne = (owned: OwnedCampaign, contact: Contact, taken: TakenLine, tally: DialTally, now: number) =>
    Effect.gen(function*() {
      const rotate = owned.campaign.app_config.phone_rotation.agent ? { calledFrom: contact.called_from } : null
      const { connection, index, line } = taken
      const from = Option.getOrThrow(Option.fromNullable(numberOf(line, tally[index] ?? 0, rotate)))
      const attempt = newAttempt(owned, contact, {
        attempt_id: yield* ids.attemptId,
        attempted_at: now,
        connection_id: connection.connection_id,
        connection: Option.some(connection),
        from
      })
      yield* attempts.insert(attempt)
      return { attempt, taken }
    })

  /** Goes through those who are due. `held` learns of every line that is taken, so that none is lost to a failure. */
  const sort = (
    { agentCommitted, lines, owned }: Prepared,
    people: ReadonlyArray<Contact>,
    now: number,
    startTally: DialTally,
    held: Array<TakenLine>
  ) =>
    Effect.gen(function*() {
      const decide = yield* gate.open(owned, { people, now, agentCommitted })
      const claims: Array<ClaimedAttempt> = []
      const refused: Array<Attempt> = []
      const deferrals: Array<Deferral> = []
      let tally = startTally
      let why: Why = nothing
      for (const contact of people) {
        const decision = decide(contact, unhindered)
        const { user_phone_number } = contact
        const [firstLine] = lines
        if (decision.reason === "blocked_number" && firstLine !== undefined) {
          refused.push(...(yield* refusals.keep(owned, contact, firstLine, now)))
        } else if (decision.verdict === "never") {
          yield* dispatch.finish(contact.campaign_id, [user_phone_number], decision)
        } else if (decision.verdict === "not_before") {
          deferrals.push({ user_phone_number, due_at: decision.not_before ?? contact.due_at, decision })
        } else {
          const taken = yield* takeFor(owned, contact, lines, tally)
          if ("fact" in taken) {
            why = { _tag: "NoLine", line: taken }
            break
          }
          held.push(taken)
          claims.push(yield* claimOne(owned, contact, taken, tally, now))
          tally = tallied(tally, taken.index)
        }
      }
      if (deferrals.length > 0) yield* dispatch.defer(owned.campaign.campaign_id, deferrals)
      return { claims, refused, tally, why }
    })

  const keep = (owned: OwnedCampaign, claims: ReadonlyArray<ClaimedAttempt>, now: number) =>
    Effect.gen(function*() {
      if (claims.length === 0) return
      const { campaign: { campaign_id }, scope } = owned
      yield* dispatch.claim(
        { scope, campaign_id },
        claims.map(({ attempt }) => ({
          user_phone_number: attempt.user_phone_number,
          attempt_id: attempt.attempt_id,
          from: attempt.agent_phone_number
        })),
        now
      )
      yield* dispatch.dialled(campaign_id, now, claims.length)
      if (dailyCap < Infinity) {
        yield* dispatch.noteDials(scope, now, claims.map(({ attempt }): PhoneNumber => attempt.user_phone_number))
      }
    })

  const claim = (prepared: Prepared, pace: Pace, held: Array<TakenLine>): Effect.Effect<Claimed> =>
    Effect.gen(function*() {
      const { campaign_id } = prepared.owned.campaign
      const found = yield* campaigns.findOwned(campaign_id)
      const now = yield* BusinessTime.now
      const stop = (why: Why): Claimed => ({ claims: [], refused: [], tally: pace.tally, deadline: now, why })
      if (Option.isNone(found)) return stop(nothing)
      const { campaign } = found.value
      if (!sameConfig(campaign, prepared.owned.campaign)) return stop(nothing)
      const decision = gate.now(found.value, { now, agentCommitted: prepared.agentCommitted })
      if (decision.verdict !== "allow") return stop({ _tag: "Held", decision })
      const rate = campaign.app_config.attempts_per_second
      const many = allowance(pace, rate, now, MAX_TOGETHER)
      if (many === 0) return stop({ _tag: "Rate", at: nextDialAt(pace, rate) })
      const people = yield* dispatch.ready(campaign_id, now, many)
      if (people.length === 0) return stop({ _tag: "Nobody" })
      const { tally } = onLines(pace, campaign.app_config.connection_configs)
      const sorted = yield* sort({ ...prepared, owned: found.value }, people, now, tally, held)
      yield* keep(found.value, sorted.claims, now)
      return { ...sorted, deadline: endOfDialling(campaign, now) }
    })

  const prepare = (owned: OwnedCampaign): Effect.Effect<Prepared> =>
    Effect.zipWith(
      dialLines.known(owned),
      gate.agentCommitted(owned),
      (lines, agentCommitted) => ({ owned, lines, agentCommitted })
    )

  return { prepare, claim, refusedKept: refusals.kept }
})

const endOfDialling = (campaign: Campaign, now: number): number =>
  Math.min(closesAt(dialWindow(campaign.allowed_schedule), now), campaign.end_timestamp.epochMillis)

/** Whether a campaign has the agent and the lines that it had. */
const sameConfig = ({ app_config: now }: Campaign, { app_config: before }: Campaign): boolean =>
  now === before || JSON.stringify(now) === JSON.stringify(before)
