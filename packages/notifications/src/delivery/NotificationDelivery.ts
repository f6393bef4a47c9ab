import type { ChartRenderer } from "@trunkline/charts"
import { Ids, Transactions } from "@trunkline/kernel"
import type { HttpSender } from "@trunkline/webhooks"
import { Context, Duration, Effect, Layer } from "effect"
import type { Mailer } from "../mail/Mailer.js"
import type { Channel } from "../rules/NotificationRule.js"
import type { ReportedWidgets } from "../rules/ReportedWidgets.js"
import type { Sealer } from "../rules/Sealer.js"
import type { NotificationRun } from "../schedule/NotificationRun.js"
import { NotificationStore } from "../schedule/NotificationStore.js"
import { makeDeliveryWork } from "./DeliveryWork.js"
import { makeLine } from "./Line.js"
import { nextReports } from "./ReportPlan.js"
import { makeRunWork } from "./RunWork.js"

/** How reports are made and delivered. */
export interface NotificationDeliveryOptions {
  /** How many at once; default 4 widgets (one of each workspace), 8 mails (each to one recipient after the other), 8 chat messages. */
  readonly atOnce?: { readonly reports: number; readonly email: number; readonly slack: number }
  /** How long, in real time, the store may go unlooked at; default 5 minutes. */
  readonly pollInterval?: Duration.DurationInput
  /** The version in `user-agent: trunkline/<version>`. */
  readonly version?: string
  /** What follows the `@` in Message-IDs; best the domain that mails come from. Default `trunkline.invalid`. */
  readonly messageIdDomain?: string
}

/**
 * Runs the widget of every decided occurrence, once, and delivers what it gave: one delivery for each channel of the rule,
 * with its own tries, so that trouble with the chat never mails anybody twice (design: boards 6). Of each workspace a process
 * runs one widget at a time; its others wait in the store, as does a run that finds no room in the warehouse.
 *
 * Works in real time (Effect's Clock). A delivery is sent at least once: only a crash between sending and recording
 * sends again, with the same Message-ID.
 */
export class NotificationDelivery extends Context.Tag("@trunkline/notifications/NotificationDelivery")<
  NotificationDelivery,
  {
    /** Delivers until it is interrupted. One is enough for a process; several processes share a store. */
    readonly run: Effect.Effect<never>
    /** Says that there may be something new: call it after the commit of what put it into the store. */
    readonly nudge: Effect.Effect<void>
    /** Begins nothing more, and completes when what runs has ended; what is left stays for the next start. */
    readonly drain: Effect.Effect<void>
  }
>() {
  /** What still runs when the layer closes is interrupted, and taken up when its lease ends. */
  static readonly layer = (
    options: NotificationDeliveryOptions = {}
  ): Layer.Layer<
    NotificationDelivery,
    never,
    ChartRenderer | HttpSender | Ids | Mailer | NotificationStore | ReportedWidgets | Sealer | Transactions
  > =>
    Layer.scoped(
      NotificationDelivery,
      Effect.gen(function*() {
        const {
          atOnce = { reports: 4, email: 8, slack: 8 },
          messageIdDomain = "trunkline.invalid",
          pollInterval = Duration.minutes(5),
          version = "0"
        } = options
        const store = yield* NotificationStore
        const transactions = yield* Transactions
        const report = yield* makeRunWork(yield* Ids)
        const deliver = yield* makeDeliveryWork({ version, messageIdDomain })

        const lineOf = (channel: Channel) =>
          makeLine({
            noun: "delivery",
            atOnce: atOnce[channel],
            pollInterval,
            claim: (claim) => transactions.run(store.claimDeliveries(channel, claim)),
            next: () => store.nextDelivery(channel),
            work: (delivery) => Effect.annotateLogs(deliver(delivery), { delivery_id: delivery.delivery_id })
          })
        const channels = [yield* lineOf("email"), yield* lineOf("slack")]
        const nudgeChannels = Effect.forEach(channels, ({ nudge }) => nudge, { discard: true })
        const reports = yield* makeLine<NotificationRun>({
          noun: "report",
          atOnce: atOnce.reports,
          pollInterval,
          claim: (claim, running) =>
            transactions.run(store.claimRuns({ ...claim, ...nextReports(running, atOnce.reports) })),
          next: (running) => store.nextRunClaim(nextReports(running, atOnce.reports)),
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
