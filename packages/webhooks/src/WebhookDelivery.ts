import { describeCause, Transactions } from "@trunkline/kernel"
import { Cause, Clock, Context, Duration, Effect, FiberSet, Layer, Option, Queue } from "effect"
import { type DeliveryLimits, nextClaim } from "./ClaimPlan.js"
import { HttpSender } from "./HttpSender.js"
import { Outbox } from "./Outbox.js"
import type { OutboxRow } from "./OutboxRow.js"
import { makeWebhookTry } from "./WebhookTry.js"

/** Longer than any try takes, so that only a crash lets a lease end. */
const lease = Duration.minutes(1)

/** The least pause before looking again, when others hold what is due. */
const shortestPause = Duration.millis(50)

const pauseAfterDefect = Duration.seconds(5)

/** How webhooks are delivered. */
export interface WebhookDeliveryOptions {
  /** Default: 256 tries at once, 10 of them to one receiver. */
  readonly limits?: DeliveryLimits
  /** How long the outbox may go unlooked at, so that what other processes put in is found; default 30 s. */
  readonly pollInterval?: Duration.Duration
  /** The version in `user-agent: trunkline/<version>`. */
  readonly version?: string
}

/**
 * Sends what is in the outbox, each webhook at least once, until its receiver takes it or the schedule ends.
 *
 * Runs in real time (Effect's Clock). A slow or failing receiver holds up nobody else: each has its own share of the
 * tries that run at once, and its backlog is only rows.
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
  static readonly layer = (
    options: WebhookDeliveryOptions = {}
  ): Layer.Layer<WebhookDelivery, never, HttpSender | Outbox | Transactions> =>
    Layer.scoped(
      WebhookDelivery,
      Effect.gen(function*() {
        const { limits = { total: 256, perOrigin: 10 }, pollInterval = Duration.seconds(30), version = "0" } = options
        const outbox = yield* Outbox
        const tryOnce = makeWebhookTry({ outbox, sender: yield* HttpSender, version })
        const transactions = yield* Transactions
        const tries = yield* FiberSet.make()
        const wake = yield* Queue.sliding<void>(1)
        const claiming = yield* Effect.makeSemaphore(1)
        const inFlight = new Map<string, number>()
        let draining = false

        const count = (origin: string, change: 1 | -1) => {
          const running = (inFlight.get(origin) ?? 0) + change
          if (running === 0) inFlight.delete(origin)
          else inFlight.set(origin, running)
        }
        const nudge = Effect.asVoid(Queue.offer(wake, undefined))

        const start = (row: OutboxRow) => {
          count(row.origin, 1)
          return tryOnce(row).pipe(
            Effect.catchAllDefect((defect) =>
              Effect.logError(
                "The result of a webhook's try was not stored; it is sent again when its lease ends",
                describeCause(Cause.die(defect))
              )
            ),
            Effect.annotateLogs({ webhook_id: row.webhook_id }),
            Effect.ensuring(Effect.zipRight(Effect.sync(() => count(row.origin, -1)), nudge)),
            Effect.interruptible,
            FiberSet.run(tries)
          )
        }

        const claimAndStart = Effect.gen(function*() {
          const { exceptOrigins, limit } = nextClaim(inFlight, limits)
          if (draining || limit === 0) return 0
          const now = yield* Clock.currentTimeMillis
          const claim = outbox.claimDue({ now, limit, leaseMillis: Duration.toMillis(lease), exceptOrigins })
          const rows = yield* transactions.run(claim)
          yield* Effect.forEach(rows, start, { discard: true })
          return rows.length
        })

        const pause = Effect.gen(function*() {
          const { exceptOrigins, limit } = nextClaim(inFlight, limits)
          const due = draining || limit === 0 ? Option.none() : yield* outbox.nextDue({ exceptOrigins })
          const now = yield* Clock.currentTimeMillis
          const wait = Option.match(due, { onNone: () => pollInterval, onSome: (at) => Duration.millis(at - now) })
          yield* Effect.timeoutOption(
            Queue.take(wake),
            Duration.clamp(wait, { minimum: shortestPause, maximum: pollInterval })
          )
        })

        const step = Effect.flatMap(
          claiming.withPermits(1)(Effect.uninterruptible(claimAndStart)),
          (started) => started === 0 ? pause : Effect.void
        )

        const run = step.pipe(
          Effect.catchAllDefect((defect) =>
            Effect.zipRight(
              Effect.logError("The outbox cannot be read; trying again", describeCause(Cause.die(defect))),
              Effect.sleep(pauseAfterDefect)
            )
          ),
          Effect.forever
        )

        const drain = Effect.zipRight(
          claiming.withPermits(1)(Effect.sync(() => {
            draining = true
          })),
          FiberSet.awaitEmpty(tries)
        )

        return WebhookDelivery.of({ run, nudge, drain })
      })
    )
}
