import {
  BusinessTime,
  describeCause,
  engineFault,
  EngineFaults,
  FaultPoints,
  Hmac,
  macroTask,
  Transactions
} from "@trunkline/kernel"
import { Cause, Clock, Context, Duration, Effect, Exit, FiberSet, Layer, Option, Queue } from "effect"
import { type DeliveryLimits, RunningTries } from "../outbox/ClaimPlan.js"
import type { TryResult } from "../outbox/DeliverySchedule.js"
import { Outbox } from "../outbox/Outbox.js"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import { HttpSender, makeWebhookTry } from "./HttpSender.js"
import { makeSigningSecrets, RetiredSecretStore } from "./RetiredSecrets.js"
import { WebhookOwners } from "./WebhookOwners.js"

/** Longer than any try, so that a lease only expires after a crash. */
const lease = Duration.minutes(1)

/** Shortest pause between claims, for due webhooks that other processes hold. */
const minPause = Duration.millis(50)

const pauseAfterDefect = Duration.seconds(5)

/** A turn of the event loop, in which more results may arrive: each step looks at every endpoint with work. */
const moreResults = BusinessTime.hold(macroTask)

/** Fault points of a delivery, at which tests can simulate a crash: see `FaultPoints` of kernel. */
export const webhookFaultPoints = ["webhook.claimed", "webhook.sent", "webhook.recorded"] as const

/** Options of webhook delivery. */
export interface WebhookDeliveryOptions {
  /** Concurrent tries. Default: 256 in total, 10 per endpoint. */
  readonly limits?: DeliveryLimits
  /** Interval at which the outbox is checked for webhooks from other processes; default 30 seconds. */
  readonly pollInterval?: Duration.Duration
  /** Version in the header `user-agent: trunkline/<version>`. */
  readonly version?: string
}

/**
 * Delivers the webhooks of the outbox at least once, retrying each on the schedule until its receiver accepts it.
 *
 * Runs on Effect's Clock. A slow or failing receiver does not delay others, because each endpoint and each workspace has
 * a share of the concurrent tries. A backlog only takes rows in the outbox.
 */
export class WebhookDelivery extends Context.Tag("@trunkline/webhooks/WebhookDelivery")<WebhookDelivery, {
  /** Delivers until it is interrupted. Run it once per process; several processes can share an outbox. */
  readonly run: Effect.Effect<never>
  /** Wakes delivery after a transaction that added webhooks to the outbox has committed. */
  readonly nudge: Effect.Effect<void>
  /** Starts no further try and waits for running ones. Remaining webhooks stay in the outbox for the next start. */
  readonly drain: Effect.Effect<void>
}>() {
  /** Delivery over `Outbox` and `HttpSender`. Closing the layer interrupts running tries. */
  static readonly layer = (options: WebhookDeliveryOptions = {}) =>
    Layer.scoped(
      WebhookDelivery,
      Effect.gen(function*() {
        const { limits = { total: 256, perEndpoint: 10 }, pollInterval = Duration.seconds(30), version = "0" } = options
        const outbox = yield* Outbox
        const signing = makeSigningSecrets({ owners: yield* WebhookOwners, retired: yield* RetiredSecretStore })
        const engineFaults = yield* EngineFaults
        const tryOnce = makeWebhookTry({ sender: yield* HttpSender, version, hmac: yield* Hmac, faults: engineFaults })
        const transactions = yield* Transactions
        const faults = yield* FaultPoints
        const tries = yield* FiberSet.make()
        const wake = yield* Queue.sliding<void>(1)
        const busy = yield* Effect.makeSemaphore(1)
        const running = new RunningTries(limits)
        /** Results that are not stored yet. */
        const backlog: Array<TryResult> = []
        let draining = false

        const nudge = Effect.asVoid(Queue.offer(wake, undefined))

        const afterSending = faults.after("webhook.sent")

        /** Keeps the result of a try, and frees its slot. */
        const endTry = (row: OutboxRow, exit: Exit.Exit<TryResult>): Effect.Effect<void> => {
          if (Exit.isSuccess(exit)) backlog.push(exit.value)
          else running.recorded(1)
          running.ended(row)
          Queue.unsafeOffer(wake, undefined)
          return Exit.isFailure(exit) && Cause.isDie(exit.cause)
            ? Effect.logError(
              "A try of a webhook failed unexpectedly; the webhook is sent again",
              describeCause(exit.cause)
            )
            : Effect.void
        }

        /** Starts a try in a fiber of its own. The fiber is uninterruptible, as the claim is, but for the try itself. */
        const start = (row: OutboxRow, secrets: ReadonlyArray<string>) => {
          running.started(row)
          return FiberSet.run(
            tries,
            Effect.flatMap(
              Effect.exit(Effect.interruptible(afterSending(tryOnce(row, secrets)))),
              (exit) => endTry(row, exit)
            )
          )
        }

        /** Keeps results that could not be stored until the lease expires and the webhook is sent again. */
        const keepResults = (results: ReadonlyArray<TryResult>) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const leasedResults = results.filter((result) => result.now + Duration.toMillis(lease) > now)
            backlog.unshift(...leasedResults)
            running.recorded(results.length - leasedResults.length)
            return leasedResults.length === results.length
              ? Effect.void
              : Effect.logError("Results of tries could not be stored; their webhooks are sent again")
          })

        const claim = Effect.gen(function*() {
          const plan = running.plan()
          if (draining || plan.limit === 0) return { rows: [], secrets: [], givenUp: 0 }
          const now = yield* Clock.currentTimeMillis
          const batch = yield* outbox.claimDue({ now, leaseMillis: Duration.toMillis(lease), plan })
          return { ...batch, secrets: yield* signing(batch.rows, now) }
        })

        /** Stores results and claims the next webhooks, in one transaction. */
        const storeAndClaim = Effect.gen(function*() {
          let results: ReadonlyArray<TryResult> = []
          // Taken after the transaction has begun: more results may arrive until then.
          const record = Effect.suspend(() => {
            results = [...results, ...backlog.splice(0)]
            return results.length === 0 ? Effect.void : outbox.record(results)
          })
          const { givenUp, rows, secrets } = yield* Effect.zipRight(record, claim).pipe(
            transactions.runGuarded,
            Effect.onError(() => keepResults(results))
          )
          running.recorded(results.length)
          if (results.length > 0) yield* faults.after("webhook.recorded")(Effect.void)
          if (rows.length > 0) yield* faults.after("webhook.claimed")(Effect.void)
          if (givenUp > 0) {
            const message = `Gave up ${givenUp} webhooks: their receivers declined them or failed for days`
            yield* Effect.logWarning(message)
            yield* engineFaults.report(engineFault({ kind: "webhook", message }))
          }
          yield* Effect.forEach(rows, (row, index) => start(row, secrets[index] ?? []), { discard: true })
          return results.length + rows.length + givenUp
        })

        const pause = Effect.gen(function*() {
          const plan = running.plan()
          const due = draining || plan.limit === 0 ? Option.none() : yield* outbox.nextDue(plan)
          const now = yield* Clock.currentTimeMillis
          const wait = Option.match(due, { onNone: () => pollInterval, onSome: (at) => Duration.millis(at - now) })
          yield* Effect.timeoutOption(
            Queue.take(wake),
            Duration.clamp(wait, { minimum: minPause, maximum: pollInterval })
          )
        })

        const step = Effect.flatMap(
          busy.withPermits(1)(Effect.uninterruptible(storeAndClaim)),
          (count) => count === 0 ? pause : moreResults
        )

        const run = step.pipe(
          Effect.catchAllDefect((defect) =>
            Effect.zipRight(
              Effect.logError("The outbox is not available; retrying", describeCause(Cause.die(defect))),
              Effect.sleep(pauseAfterDefect)
            )
          ),
          Effect.forever
        )

        const drain = busy.withPermits(1)(Effect.sync(() => {
          draining = true
        })).pipe(
          Effect.zipRight(FiberSet.awaitEmpty(tries)),
          Effect.zipRight(busy.withPermits(1)(Effect.uninterruptible(storeAndClaim))),
          Effect.catchAllDefect((defect) =>
            Effect.logError("The last results of tries could not be stored", describeCause(Cause.die(defect)))
          ),
          Effect.asVoid
        )

        return WebhookDelivery.of({ run, nudge, drain })
      })
    )
}
