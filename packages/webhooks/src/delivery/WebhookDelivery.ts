import { describeCause, FaultPoints, Transactions } from "@trunkline/kernel"
import { Cause, Clock, Context, Duration, Effect, FiberSet, Layer, Option, Queue } from "effect"
import { RetiredSecretStore } from "../control/RetiredSecrets.js"
import { makeSigningSecrets } from "../control/SigningSecrets.js"
import { WebhookOwners } from "../control/WebhookOwners.js"
import { type DeliveryLimits, RunningTries } from "../outbox/ClaimPlan.js"
import { Outbox } from "../outbox/Outbox.js"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import { HttpSender } from "./HttpSender.js"
import type { TryResult } from "./TryResult.js"
import { makeWebhookTry } from "./WebhookTry.js"

/** Longer than any try takes, so that only a crash lets a lease end. */
const lease = Duration.minutes(1)

/** The least pause before looking again, when others hold what is due. */
const shortestPause = Duration.millis(50)

const pauseAfterDefect = Duration.seconds(5)

/** The moments of a delivery at which a test may let the engine crash: see kernel's `FaultPoints`. */
export const webhookFaultPoints = ["webhook.claimed", "webhook.sent", "webhook.recorded"] as const

/** How webhooks are delivered. */
export interface WebhookDeliveryOptions {
  /** Default: 256 tries at once, 10 of them to one endpoint. */
  readonly limits?: DeliveryLimits
  /** How long the outbox may go unlooked at, so that what other processes put in is found; default 30 s. */
  readonly pollInterval?: Duration.Duration
  /** The version in `user-agent: trunkline/<version>`. */
  readonly version?: string
}

/**
 * Sends what is in the outbox, each webhook at least once, until its receiver takes it or the schedule ends.
 *
 * Runs in real time (Effect's Clock). A slow or failing receiver holds up nobody else: each endpoint and each workspace
 * has its own share of the tries that run at once, and a backlog is only rows.
 */
export class WebhookDelivery extends Context.Tag("@trunkline/webhooks/WebhookDelivery")<WebhookDelivery, {
  /** Delivers until it is interrupted. One is enough for a process; several processes share an outbox. */
  readonly run: Effect.Effect<never>
  /** Says that there may be something new to send: call it after the commit of what put it into the outbox. */
  readonly nudge: Effect.Effect<void>
  /** Begins no further try and completes when those that run have ended; what is left stays for the next start. */
  readonly drain: Effect.Effect<void>
}>() {
  /** Delivery over the `Outbox` and `HttpSender` given; tries that still run when the layer closes are interrupted. */
  static readonly layer = (options: WebhookDeliveryOptions = {}) =>
    Layer.scoped(
      WebhookDelivery,
      Effect.gen(function*() {
        const { limits = { total: 256, perEndpoint: 10 }, pollInterval = Duration.seconds(30), version = "0" } = options
        const outbox = yield* Outbox
        const signing = makeSigningSecrets({ owners: yield* WebhookOwners, retired: yield* RetiredSecretStore })
        const tryOnce = makeWebhookTry({ sender: yield* HttpSender, version })
        const transactions = yield* Transactions
        const faults = yield* FaultPoints
        const tries = yield* FiberSet.make()
        const wake = yield* Queue.sliding<void>(1)
        const working = yield* Effect.makeSemaphore(1)
        const running = new RunningTries(limits)
        /** What has been answered and is not stored yet. */
        const answered: Array<TryResult> = []
        let draining = false

        const nudge = Effect.asVoid(Queue.offer(wake, undefined))

        const start = (row: OutboxRow, secrets: ReadonlyArray<string>) => {
          running.started(row)
          return faults.after("webhook.sent")(tryOnce(row, secrets)).pipe(
            Effect.map((result) => void answered.push(result)),
            Effect.onError(() => Effect.sync(() => running.recorded(1))),
            Effect.catchAllDefect((defect) =>
              Effect.logError("A try of a webhook broke off; it is sent again", describeCause(Cause.die(defect)))
            ),
            Effect.ensuring(Effect.zipRight(Effect.sync(() => running.ended(row)), nudge)),
            Effect.interruptible,
            FiberSet.run(tries)
          )
        }

        /** Results that cannot be stored are kept for as long as the lease would keep the webhook from being sent again. */
        const keep = (results: ReadonlyArray<TryResult>) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const kept = results.filter((result) => result.now + Duration.toMillis(lease) > now)
            answered.unshift(...kept)
            running.recorded(results.length - kept.length)
            return kept.length === results.length
              ? Effect.void
              : Effect.logError("The results of tries could not be stored; their webhooks are sent again")
          })

        const claim = Effect.gen(function*() {
          const plan = running.plan()
          if (draining || plan.limit === 0) return { rows: [], secrets: [], givenUp: 0 }
          const now = yield* Clock.currentTimeMillis
          const claimed = yield* outbox.claimDue({ now, leaseMillis: Duration.toMillis(lease), plan })
          return { ...claimed, secrets: yield* signing(claimed.rows, now) }
        })

        /** Stores what has been answered and claims what may be tried next, in one transaction. */
        const turn = Effect.gen(function*() {
          let results: ReadonlyArray<TryResult> = []
          // Taken once the transaction has begun: until then more come in.
          const record = Effect.suspend(() => {
            results = [...results, ...answered.splice(0)]
            return results.length === 0 ? Effect.void : outbox.record(results)
          })
          const { givenUp, rows, secrets } = yield* Effect.zipRight(record, claim).pipe(
            transactions.run,
            Effect.onError(() => keep(results))
          )
          running.recorded(results.length)
          if (results.length > 0) yield* faults.after("webhook.recorded")(Effect.void)
          if (rows.length > 0) yield* faults.after("webhook.claimed")(Effect.void)
          if (givenUp > 0) {
            yield* Effect.logWarning(`${givenUp} webhooks are given up: their receivers want no more, or fail for days`)
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
            Duration.clamp(wait, { minimum: shortestPause, maximum: pollInterval })
          )
        })

        const step = Effect.flatMap(
          working.withPermits(1)(Effect.uninterruptible(turn)),
          (done) => done === 0 ? pause : Effect.void
        )

        const run = step.pipe(
          Effect.catchAllDefect((defect) =>
            Effect.zipRight(
              Effect.logError("The outbox cannot be used; trying again", describeCause(Cause.die(defect))),
              Effect.sleep(pauseAfterDefect)
            )
          ),
          Effect.forever
        )

        const drain = working.withPermits(1)(Effect.sync(() => {
          draining = true
        })).pipe(
          Effect.zipRight(FiberSet.awaitEmpty(tries)),
          Effect.zipRight(working.withPermits(1)(Effect.uninterruptible(turn))),
          Effect.catchAllDefect((defect) =>
            Effect.logError("The last results could not be stored", describeCause(Cause.die(defect)))
          ),
          Effect.asVoid
        )

        return WebhookDelivery.of({ run, nudge, drain })
      })
    )
}
