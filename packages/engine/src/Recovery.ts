import { CampaignCalls } from "@trunkline/campaigns"
import { type AttemptId, findOne, retryForever } from "@trunkline/kernel"
import {
  type Attempt,
  Attempts,
  AttemptStore,
  BlockedNumbers,
  type CallOutcome,
  CallRegistry,
  Calls,
  CallSlots,
  type Claimant,
  Connections,
  LiveCalls,
  type OpenAttempt,
  Outbounds,
  type Recovered
} from "@trunkline/telephony"
import { Array, Context, Effect, Layer, Option } from "effect"

/** Attempts that a shutdown or crash left unfinished, of this process or of others. */
export interface UnfinishedAttempts {
  /** Number of attempts. */
  readonly count: number
  /** Settles every attempt, while new calls go on. Completes when each has ended, is queued again, or is back in progress. */
  readonly settle: Effect.Effect<void>
}

/**
 * Settles attempts that a shutdown or crash left unfinished: redials those that were certainly never dialled, rejoins
 * calls in progress, and ends the rest with the outcome that the provider reports (docs/decisions.md, 4).
 */
export class Recovery extends Context.Tag("@trunkline/engine/Recovery")<Recovery, {
  /**
   * Takes over unfinished attempts that no process carries, and reserves their lines. Run it before new calls are dialled,
   * and again from time to time where processes share the stores; settling can run later.
   */
  readonly find: Effect.Effect<UnfinishedAttempts>
  /**
   * Takes over attempts that this process has claimed, but that nothing in it carries, now and when it was called before: the
   * answer to their claim was lost, or their call failed before it was dialled. Run it every minute.
   */
  readonly findLost: Effect.Effect<UnfinishedAttempts>
}>() {
  static readonly layer = Layer.effect(
    Recovery,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const attempts = yield* Attempts
      const calls = yield* Calls
      const registry = yield* CallRegistry
      const live = yield* LiveCalls
      const slots = yield* CallSlots
      const connections = yield* Connections
      const outbounds = yield* Outbounds
      const blockedNumbers = yield* BlockedNumbers
      const campaignCalls = yield* CampaignCalls
      /** Effects that release the lines of unsettled attempts. */
      const heldLines = new Map<AttemptId, Effect.Effect<void>>()

      /** Checks again whether a dial that is repeated is still allowed. */
      const mayDial = (attempt: Attempt): Effect.Effect<boolean> =>
        attempt.campaign_id === null
          ? Effect.map(blockedNumbers.filterBlocked(attempt, [attempt.user_phone_number]), (numbers) =>
            numbers.size === 0)
          : campaignCalls.mayDial(attempt)

      /** Reserves a line for an attempt that may be in progress, even beyond the limit, before new calls are dialled. */
      const holdLine = (open: OpenAttempt) =>
        Effect.gen(function*() {
          const connection = yield* connections.find(open, open.connection_id)
          if (open.state === "pending" || Option.isNone(connection)) return
          const { release } = yield* slots.force(open, connection.value, claimantOf(open))
          heldLines.set(open.attempt_id, release)
        })

      /** Hands over the line of an attempt; only the first caller gets it. */
      const takeLine = (id: AttemptId) =>
        Effect.suspend(() => {
          const release = heldLines.get(id) ?? Effect.void
          heldLines.delete(id)
          return Effect.succeed(release)
        })

      const end = (attempt: Attempt, outcome: CallOutcome) =>
        attempt.kind === "campaign"
          ? campaignCalls.end(attempt, outcome)
          : Effect.asVoid(attempts.end({ attempt_id: attempt.attempt_id, outcome }))

      /** Tracks a call that is still in progress, with its line, until it ends. */
      const rejoin = (attempt: Attempt, outcome: Effect.Effect<CallOutcome>) =>
        Effect.uninterruptible(Effect.gen(function*() {
          const release = yield* takeLine(attempt.attempt_id)
          const call = Effect.flatMap(outcome, (outcome) => end(attempt, outcome))
          if (!(yield* live.start(Effect.ensuring(call, release)))) yield* release
        }))

      const conclude = (attempt: Attempt, recovery: Recovered) => {
        switch (recovery._tag) {
          case "Redial":
            return attempt.kind === "campaign" ? campaignCalls.withdraw(attempt) : outbounds.resume(attempt)
          case "Ended":
            return end(attempt, recovery.outcome)
          case "GoesOn":
            return rejoin(attempt, recovery.outcome)
          case "Disowned":
            return Effect.void
        }
      }

      const settle = ({ attempt_id }: OpenAttempt) =>
        Effect.gen(function*() {
          const attempt = yield* findOne(store.findMany, attempt_id)
          if (Option.isNone(attempt) || attempt.value.state === "ended") return
          const recovery = yield* calls.recover(attempt.value, { mayDial: mayDial(attempt.value) })
          yield* conclude(attempt.value, recovery)
        }).pipe(
          retryForever({
            message: "Settling an unfinished attempt failed and is retried",
            initialDelay: "250 millis",
            maxDelay: "30 seconds"
          }),
          Effect.ensuring(Effect.zipRight(Effect.flatten(takeLine(attempt_id)), registry.remove(attempt_id)))
        )

      const takeOver = (open: ReadonlyArray<OpenAttempt>): Effect.Effect<UnfinishedAttempts> =>
        Effect.as(
          Effect.forEach(open, (one) => Effect.zipRight(registry.add(one.attempt_id), holdLine(one)), {
            discard: true
          }),
          {
            count: open.length,
            settle: Effect.forEach(
              Object.values(Array.groupBy(open, ({ connection_id, state }) => `${state} ${connection_id}`)),
              (group) => Effect.forEach(group, settle, { concurrency: settleConcurrency, discard: true }),
              { concurrency: "unbounded", discard: true }
            )
          }
        )

      /** Claimed attempts that nothing carried at the last look. */
      let suspects: ReadonlySet<AttemptId> = new Set()

      return Recovery.of({
        find: Effect.flatMap(store.adopt, takeOver),
        findLost: Effect.gen(function*() {
          const claimedAttempts = yield* store.claimed
          const orphans = yield* Effect.filter(claimedAttempts, ({ attempt_id }) => registry.has(attempt_id), {
            negate: true
          })
          const before = suspects
          suspects = new Set(orphans.map(({ attempt_id }) => attempt_id))
          return yield* takeOver(orphans.filter(({ attempt_id }) => before.has(attempt_id)))
        })
      })
    })
  )
}

/**
 * Concurrency of settling attempts in the same state on one connection. Other states and connections do not wait for
 * them, because some providers need time to become certain of an outcome.
 */
const settleConcurrency = 16

const claimantOf = ({ campaign_id, kind }: OpenAttempt): Claimant =>
  campaign_id !== null ? { _tag: "Campaign", campaign_id } : { _tag: kind === "inbound" ? "Inbound" : "Single" }
