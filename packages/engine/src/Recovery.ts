import { CampaignCalls } from "@trunkline/campaigns"
import { type AttemptId, steadily } from "@trunkline/kernel"
import {
  type Attempt,
  Attempts,
  AttemptStore,
  BlockedNumbers,
  type CallOutcome,
  Calls,
  CallSlots,
  CarriedCalls,
  type Claimant,
  Connections,
  LiveCalls,
  type OpenAttempt,
  Outbounds,
  type Recovered
} from "@trunkline/telephony"
import { Array, Context, Effect, Layer, Option } from "effect"

/** What a stop or a crash left unfinished. */
export interface Leftovers {
  /** How many attempts there are. */
  readonly count: number
  /** Settles them all; new calls go on meanwhile. It completes when each has ended, waits or goes on. */
  readonly settle: Effect.Effect<void>
}

/** Settles what a stop or a crash left unfinished (decisions 10, reliability 1.4). */
export class Recovery extends Context.Tag("@trunkline/engine/Recovery")<Recovery, {
  /** Finds what is unfinished: to be asked before anything new is dialled. Settling it needs not be waited for. */
  readonly find: Effect.Effect<Leftovers>
}>() {
  static readonly layer = Layer.effect(
    Recovery,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const attempts = yield* Attempts
      const calls = yield* Calls
      const carried = yield* CarriedCalls
      const live = yield* LiveCalls
      const slots = yield* CallSlots
      const connections = yield* Connections
      const outbounds = yield* Outbounds
      const blocked = yield* BlockedNumbers
      const campaignCalls = yield* CampaignCalls
      /** The lines of what is not settled yet: how each is given back. */
      const held = new Map<AttemptId, Effect.Effect<void>>()

      /** The gate that a dial passes, asked again for a dial that is repeated. */
      const mayDial = (attempt: Attempt): Effect.Effect<boolean> =>
        attempt.campaign_id === null
          ? Effect.map(blocked.blocked(attempt, [attempt.user_phone_number]), (numbers) => numbers.size === 0)
          : campaignCalls.mayDial(attempt)

      /** Whatever may be on the line has its line, even where there is none left, before anybody else is dialled. */
      const hold = (open: OpenAttempt) =>
        Effect.gen(function*() {
          const connection = yield* connections.find(open, open.connection_id)
          if (open.state === "pending" || Option.isNone(connection)) return
          const { release } = yield* slots.force(open, connection.value, claimantOf(open))
          held.set(open.attempt_id, release)
        })

      /** The line of an attempt passes to who asks, once. */
      const lineOf = (id: AttemptId) =>
        Effect.suspend(() => {
          const release = held.get(id) ?? Effect.void
          held.delete(id)
          return Effect.succeed(release)
        })

      const end = (attempt: Attempt, outcome: CallOutcome) =>
        attempt.kind === "campaign"
          ? campaignCalls.end(attempt, outcome)
          : Effect.asVoid(attempts.end({ attempt_id: attempt.attempt_id, outcome }))

      /** A call that goes on keeps its line, and is one of the live ones. */
      const goOn = (attempt: Attempt, outcome: Effect.Effect<CallOutcome>) =>
        Effect.uninterruptible(Effect.gen(function*() {
          const release = yield* lineOf(attempt.attempt_id)
          const call = Effect.flatMap(outcome, (outcome) => end(attempt, outcome))
          if (!(yield* live.start(Effect.ensuring(call, release)))) yield* release
        }))

      const conclude = (attempt: Attempt, recovered: Recovered) => {
        switch (recovered._tag) {
          case "Redial":
            return attempt.kind === "campaign" ? campaignCalls.withdraw(attempt) : outbounds.resume(attempt)
          case "Ended":
            return end(attempt, recovered.outcome)
          case "GoesOn":
            return goOn(attempt, recovered.outcome)
          case "Disowned":
            return Effect.void
        }
      }

      const settle = ({ attempt_id }: OpenAttempt) =>
        Effect.gen(function*() {
          const attempt = yield* store.find(attempt_id)
          if (Option.isNone(attempt) || attempt.value.state === "ended") return
          const recovered = yield* calls.recover(attempt.value, { mayDial: mayDial(attempt.value) })
          yield* conclude(attempt.value, recovered)
        }).pipe(
          steadily({
            message: "What became of an attempt could not be settled",
            first: "250 millis",
            longest: "30 seconds"
          }),
          Effect.ensuring(Effect.zipRight(Effect.flatten(lineOf(attempt_id)), carried.remove(attempt_id)))
        )

      return Recovery.of({
        find: Effect.gen(function*() {
          const open = yield* store.unfinished
          yield* Effect.forEach(open, (one) => Effect.zipRight(carried.add(one.attempt_id), hold(one)), {
            discard: true
          })
          return {
            count: open.length,
            settle: Effect.forEach(
              Object.values(Array.groupBy(open, ({ connection_id, state }) => `${state} ${connection_id}`)),
              (alike) => Effect.forEach(alike, settle, { concurrency: AT_ONCE, discard: true }),
              { concurrency: "unbounded", discard: true }
            )
          }
        })
      })
    })
  )
}

/**
 * How many attempts in the same state on one connection are settled at once. Those in another state or on another
 * connection do not wait for them: some wait for a provider to become sure of what it took.
 */
const AT_ONCE = 16

const claimantOf = ({ campaign_id, kind }: OpenAttempt): Claimant =>
  campaign_id !== null ? { _tag: "Campaign", campaign_id } : { _tag: kind === "inbound" ? "Inbound" : "Single" }
