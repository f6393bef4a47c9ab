import {
  type AttemptId,
  BusinessTime,
  type CostLedger,
  engineFault,
  EngineFaults,
  makeBatches,
  type NextActionStatus,
  retryForever,
  Transactions,
  withoutLooseEnd
} from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { Attempt } from "../call/Attempt.js"
import { countEnd } from "../call/CallMeters.js"
import { type CallOutcome, faultOf, summarizeOutcome } from "../call/CallOutcome.js"
import type { ModelInput } from "../call/ModelInput.js"
import { CallJournal } from "../journal/CallJournal.js"
import { attemptEnded } from "../live/LiveEvent.js"
import { LiveFeed } from "../live/LiveFeed.js"
import { makeAttemptCosts } from "./AttemptCosts.js"
import { AttemptStore } from "./AttemptStore.js"

/** Listener for ended attempts. */
export class AttemptListener extends Context.Tag("@trunkline/telephony/AttemptListener")<AttemptListener, {
  /**
   * Runs inside the transaction that ends the attempts, so its writes commit with the results or not at all. Each
   * attempt has a `result`. `modelInputs` has what models were sent in those calls, as far as it is kept.
   */
  readonly onEnd: (
    attempts: ReadonlyArray<Attempt>,
    modelInputs: ReadonlyMap<AttemptId, ReadonlyArray<ModelInput>>
  ) => Effect.Effect<void>
  /** Runs after the transaction has committed, to wake the workers that process what was stored. */
  readonly onCommit: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void>
}>() {
  /** Ignores ended attempts. */
  static readonly layerNone = Layer.succeed(AttemptListener, { onEnd: () => Effect.void, onCommit: () => Effect.void })
}

/** An attempt that is about to end, with the outcome of its call. */
export interface EndingAttempt {
  readonly attempt: Attempt
  readonly outcome: CallOutcome
  /** Costs of the call; null where the engine has no prices. */
  readonly costs: CostLedger | null
}

/** Decides the next actions of the contacts of some attempts, and stores their consequences; returns one for each. */
export type Conclude = (ending: ReadonlyArray<EndingAttempt>) => Effect.Effect<ReadonlyArray<NextActionStatus | null>>

/** An end of an attempt. */
export interface AttemptEnd {
  readonly attempt_id: AttemptId
  readonly outcome: CallOutcome
  /** Runs once for all ends of a transaction that have the same function; by default there is no next action. */
  readonly conclude?: Conclude
}

const noNextActions: Conclude = (ending) => Effect.succeed(ending.map(() => null))

/** Most ends in one transaction, so that none holds up the store for long. */
const maxEnds = 200

/** Ends attempts exactly once. */
export class Attempts extends Context.Tag("@trunkline/telephony/Attempts")<Attempts, {
  /**
   * Stores the result and notifies the listener in one transaction. `conclude` runs first in that transaction. Returns
   * false, and changes nothing, when the attempt already has a result.
   *
   * Attempts that end at the same time share a transaction; it is run again for each of them if it fails.
   */
  readonly end: (end: AttemptEnd) => Effect.Effect<boolean>
}>() {
  static readonly layer = Layer.scoped(
    Attempts,
    Effect.gen(function*() {
      const store = yield* AttemptStore
      const transactions = yield* Transactions
      const listener = yield* AttemptListener
      const feed = yield* LiveFeed
      const faults = yield* EngineFaults
      const journal = yield* CallJournal
      const costs = yield* makeAttemptCosts

      /** The ends of attempts without a result, one for each attempt. */
      const endsOfOpen = (ends: ReadonlyArray<AttemptEnd>) =>
        Effect.map(store.findMany(ends.map(({ attempt_id }) => attempt_id)), (attemptsById) => {
          const open = new Map<AttemptId, OpenEnd>()
          for (const end of ends) {
            const attempt = attemptsById.get(end.attempt_id)
            if (attempt === undefined || attempt.state === "ended" || open.has(end.attempt_id)) continue
            open.set(end.attempt_id, { end, attempt, outcome: end.outcome, costs: costs.of(attempt, end.outcome) })
          }
          return open
        })

      const nextActions = (open: ReadonlyArray<OpenEnd>) =>
        Effect.gen(function*() {
          const actions = new Map<AttemptId, NextActionStatus | null>()
          for (const [conclude, some] of groupByConclude(open)) {
            const statuses = yield* conclude(some)
            some.forEach(({ end }, index) => actions.set(end.attempt_id, statuses[index] ?? null))
          }
          return actions
        })

      const endAll = (ends: ReadonlyArray<AttemptEnd>) =>
        Effect.gen(function*() {
          const open = yield* endsOfOpen(ends)
          const actions = yield* nextActions(Array.from(open.values()))
          const finished_at = yield* BusinessTime.now
          const endedAttempts = yield* store.endMany(Array.from(open, ([attempt_id, { costs, outcome }]) => {
            const next_action_status = actions.get(attempt_id) ?? null
            const summary = summarizeOutcome(outcome, next_action_status)
            const costFields = costs === null ? {} : { costs }
            return { attempt_id, result: { next_action_status, finished_at, ...summary, ...costFields } }
          }))
          if (endedAttempts.length > 0) {
            yield* journal.remove(endedAttempts.map(({ attempt_id }) => attempt_id))
            yield* listener.onEnd(endedAttempts, modelInputsOf(open))
          }
          const storedAttemptIds = new Set(endedAttempts.map(({ attempt_id }) => attempt_id))
          const results = ends.map((end) =>
            storedAttemptIds.has(end.attempt_id) && open.get(end.attempt_id)?.end === end
          )
          return {
            ended: endedAttempts,
            results,
            outcomes: endedAttempts.map(({ attempt_id }) => open.get(attempt_id)?.outcome)
          }
        })

      const announce = (endedAttempts: ReadonlyArray<Attempt>) =>
        Effect.suspend(() => {
          if (endedAttempts.length === 0) return Effect.void
          journal.forget(endedAttempts.map(({ attempt_id }) => attempt_id))
          const publish = Effect.forEach(endedAttempts, (attempt) => publishEnd(feed, attempt), { discard: true })
          return Effect.zipRight(publish, listener.onCommit(endedAttempts))
        })

      const reportFaults = (endedAttempts: ReadonlyArray<Attempt>, outcomes: ReadonlyArray<CallOutcome | undefined>) =>
        Effect.forEach(endedAttempts, (attempt, index) => {
          const outcome = outcomes[index]
          const fault = outcome === undefined ? null : faultOf(outcome)
          return fault === null ? Effect.void : reportFault(faults, attempt, fault)
        }, { discard: true })

      const ends = yield* makeBatches({
        limit: maxEnds,
        run: (ends: ReadonlyArray<AttemptEnd>) =>
          Effect.flatMap(
            transactions.runGuarded(endAll(ends)),
            ({ ended, outcomes, results }) => {
              ended.forEach((attempt, index) => {
                countEnd(attempt, outcomes[index])
                if (attempt.result?.costs !== undefined) costs.count(attempt.result.costs)
              })
              return Effect.zipRight(announce(ended), Effect.as(reportFaults(ended, outcomes), results))
            }
          )
      })

      return Attempts.of({
        end: (end) => Effect.zipRight(journal.close(end.attempt_id), retryUntilStored(ends.submit(end)))
      })
    })
  )
}

/** An end of an attempt without a result. */
interface OpenEnd extends EndingAttempt {
  readonly end: AttemptEnd
}

const modelInputsOf = (open: ReadonlyMap<AttemptId, OpenEnd>): ReadonlyMap<AttemptId, ReadonlyArray<ModelInput>> =>
  new Map(
    Array.from(open).flatMap(([id, { outcome }]) => {
      const inputs = outcome._tag === "Connected" ? outcome.report.model_inputs : undefined
      return inputs === undefined ? [] : [[id, inputs] as const]
    })
  )

const groupByConclude = (open: ReadonlyArray<OpenEnd>): ReadonlyMap<Conclude, ReadonlyArray<OpenEnd>> => {
  const groups = new Map<Conclude, Array<OpenEnd>>()
  for (const one of open) {
    const conclude = one.end.conclude ?? noNextActions
    const group = groups.get(conclude)
    if (group === undefined) groups.set(conclude, [one])
    else group.push(one)
  }
  return groups
}

const reportFault = (faults: EngineFaults.Service, { attempt_id, org_id, workspace_id }: Attempt, fault: string) => {
  const message = withoutLooseEnd(fault)
  return Effect.logWarning(`A call failed: ${message}`).pipe(
    Effect.annotateLogs({ attempt_id }),
    Effect.zipRight(
      faults.report(engineFault({ kind: "call", message, workspace: `${org_id}/${workspace_id}`, attempt_id }))
    )
  )
}

const publishEnd = (feed: LiveFeed.Service, attempt: Attempt) => {
  const { result } = attempt
  return result === null ? Effect.void : feed.publish(attempt, () => attemptEnded(attempt, result))
}

/** Retries until the result is stored: a full disk, a locked file or a database that is away may recover. */
const retryUntilStored = retryForever({
  message: "The result of an attempt could not be stored",
  initialDelay: "250 millis",
  maxDelay: "5 seconds"
})
