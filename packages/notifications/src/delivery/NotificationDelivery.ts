import type { ChartRenderer } from "@trunkline/charts"
import { Ids, makeLeaseWorker, type Scope, Transactions } from "@trunkline/kernel"
import type { HttpSender } from "@trunkline/webhooks"
import { Context, Duration, Effect, Layer } from "effect"
import type { Mailer } from "../mail/Mailer.js"
import type { ReportSource } from "../reports/Report.js"
import type { Channel } from "../rules/NotificationRule.js"
import type { Sealer } from "../rules/Sealer.js"
import type { NotificationRun } from "../store/NotificationRun.js"
import { NotificationStore } from "../store/NotificationStore.js"
import { makeDeliveryRunner } from "./DeliveryRunner.js"
import { leaseTime } from "./LeaseTime.js"
import { makeReportRunner, nextClaimScope } from "./ReportRunner.js"

/** Options of report delivery. */
export interface NotificationDeliveryOptions {
  /**
   * Concurrency per process: default 4 reports (one per workspace), 8 mail deliveries (each with its recipients in
   * sequence) and 8 chat messages.
   */
  readonly concurrency?: { readonly reports: number; readonly email: number; readonly slack: number }
  /** Interval in real time of checking the store for work of other processes; default 5 minutes. */
  readonly pollInterval?: Duration.DurationInput
  /** Version in `user-agent: trunkline/<version>`. */
  readonly version?: string
  /** Domain of Message-IDs, ideally that of the sender; default `trunkline.invalid`. */
  readonly messageIdDomain?: string
  /**
   * Address of a page that shows a board, to which mails link; null for none. By default mails have no link. The address
   * is sent to every recipient and must not contain a key.
   */
  readonly boardUrl?: (scope: Scope, board_id: string) => string | null
}

/**
 * Runs the widget of every scheduled occurrence once and delivers its result: one delivery per channel of the rule,
 * each with its own retries, so that a failing chat webhook never causes duplicate mails. A process runs one widget per
 * workspace at a time; further runs wait in the store, as do runs that find the warehouse busy.
 *
 * Works in real time (Effect's Clock). A delivery is sent at least once: only a crash between sending and recording can
 * send it again, with the same Message-ID.
 */
export class NotificationDelivery extends Context.Tag("@trunkline/notifications/NotificationDelivery")<
  NotificationDelivery,
  {
    /** Delivers until interrupted. Run it once per process; several processes can share a store. */
    readonly run: Effect.Effect<never>
    /** Signals new work in the store; call it after the commit. */
    readonly nudge: Effect.Effect<void>
    /** Starts no further work and completes when running work has finished; the rest waits in the store. */
    readonly drain: Effect.Effect<void>
  }
>() {
  /** Closing the layer interrupts running work; it is resumed when its lease ends. */
  static readonly layer = (
    options: NotificationDeliveryOptions = {}
  ): Layer.Layer<
    NotificationDelivery,
    never,
    ChartRenderer | HttpSender | Ids | Mailer | NotificationStore | ReportSource | Sealer | Transactions
  > =>
    Layer.scoped(
      NotificationDelivery,
      Effect.gen(function*() {
        const {
          boardUrl = () => null,
          concurrency = { reports: 4, email: 8, slack: 8 },
          messageIdDomain = "trunkline.invalid",
          pollInterval = Duration.minutes(5),
          version = "0"
        } = options
        const store = yield* NotificationStore
        const transactions = yield* Transactions
        const report = yield* makeReportRunner(yield* Ids)
        const deliver = yield* makeDeliveryRunner({ version, messageIdDomain, boardUrl })

        const workerOf = (channel: Channel) =>
          makeLeaseWorker({
            noun: "delivery",
            concurrency: concurrency[channel],
            lease: leaseTime,
            pollInterval,
            claim: (claim) => transactions.run(store.claimDeliveries(channel, claim)),
            next: () => store.nextDelivery(channel),
            work: (delivery) => Effect.annotateLogs(deliver(delivery), { delivery_id: delivery.delivery_id })
          })
        const channels = [yield* workerOf("email"), yield* workerOf("slack")]
        const nudgeChannels = Effect.forEach(channels, ({ nudge }) => nudge, { discard: true })
        const reports = yield* makeLeaseWorker<NotificationRun>({
          noun: "report",
          concurrency: concurrency.reports,
          lease: leaseTime,
          pollInterval,
          claim: (claim, running) =>
            transactions.run(store.claimRuns({ ...claim, ...nextClaimScope(running, concurrency.reports) })),
          next: (running) => store.nextRunClaim(nextClaimScope(running, concurrency.reports)),
          work: (run) => Effect.annotateLogs(Effect.zipRight(report(run), nudgeChannels), { run_id: run.run_id })
        })

        return NotificationDelivery.of({
          run: Effect.zipRight(
            Effect.all([reports, ...channels].map(({ run }) => run), { concurrency: "unbounded", discard: true }),
            Effect.never
          ),
          nudge: reports.nudge,
          drain: Effect.zipRight(reports.drain, Effect.forEach(channels, ({ drain }) => drain, { discard: true }))
        })
      })
    )
}
