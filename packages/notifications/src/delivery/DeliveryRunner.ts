import { engineFault, EngineFaults, scopeKey, Transactions } from "@trunkline/kernel"
import { Clock, Effect, Option, Random } from "effect"
import type { Report } from "../reports/Report.js"
import { channelsOf, type NotificationRule } from "../rules/NotificationRule.js"
import type { Delivery, DeliveryState } from "../store/Delivery.js"
import { NotificationStore } from "../store/NotificationStore.js"
import { makeChatDelivery } from "./ChatDelivery.js"
import { type MailDeliveryOptions, makeMailDelivery } from "./MailDelivery.js"
import { type DeliveryResult, maxAttempts, retryDelay } from "./Retries.js"

/** Options of outgoing messages. */
interface MessageOptions extends MailDeliveryOptions {
  /** Version in `user-agent: trunkline/<version>`. */
  readonly version: string
}

/** A delivery after an attempt, and its result. */
interface Attempt {
  readonly delivery: Delivery
  readonly result: DeliveryResult
}

/** End of a delivery without an attempt. */
interface Ending {
  readonly state: Exclude<DeliveryState, "pending">
  readonly error: string
}

const endingWithoutAttempt = (delivery: Delivery, rule: NotificationRule): Ending | null => {
  if (!rule.enabled) return { state: "cancelled", error: "The rule was disabled" }
  if (!channelsOf(rule).includes(delivery.channel)) {
    return { state: "cancelled", error: "The rule does not report by this channel any more" }
  }
  return delivery.tries > maxAttempts ? { state: "failed", error: "The last try was interrupted" } : null
}

/**
 * Creates the function that processes a claimed delivery: it attempts the delivery if the rule still wants it, and
 * records the result. Deliveries of a removed rule are already gone.
 */
export const makeDeliveryRunner = ({ version, ...mailOptions }: MessageOptions) =>
  Effect.gen(function*() {
    const store = yield* NotificationStore
    const transactions = yield* Transactions
    const faults = yield* EngineFaults
    const mail = yield* makeMailDelivery(mailOptions)
    const chat = yield* makeChatDelivery(version)

    const finish = (delivery: Delivery, state: DeliveryState, last_error: string | null) =>
      Effect.gen(function*() {
        const finished_at = yield* Clock.currentTimeMillis
        const finalDelivery = { ...delivery, state, last_error, finished_at, leased_until: 0, settled: [] }
        if (yield* store.saveDelivery(finalDelivery)) yield* store.closeRun(delivery.run_id)
      }).pipe(transactions.run)

    const giveUp = (delivery: Delivery, error: string) => {
      const { channel, scope, tries } = delivery
      const message = `Gave up delivering a report by ${channel} after attempt ${tries}: ${error}`
      return Effect.logWarning(message).pipe(
        Effect.zipRight(finish(delivery, "failed", error)),
        Effect.zipRight(
          faults.report(engineFault({ kind: "report", message, workspace: scopeKey(scope), name: channel }))
        )
      )
    }

    const recordResult = ({ delivery, result }: Attempt) => {
      switch (result.end) {
        case "lost":
          return Effect.void
        case "delivered":
          return finish(delivery, "delivered", null)
        case "failed":
          return giveUp(delivery, result.error)
        case "retry":
          return Effect.gen(function*() {
            const delay = retryDelay(delivery.tries, yield* Random.next, result.retryAfter)
            if (Option.isNone(delay)) return yield* giveUp(delivery, result.error)
            const due_at = (yield* Clock.currentTimeMillis) + delay.value
            yield* store.saveDelivery({ ...delivery, due_at, leased_until: 0, last_error: result.error })
          })
      }
    }

    const attempt = (delivery: Delivery, rule: NotificationRule, report: Report): Effect.Effect<Attempt> =>
      delivery.channel === "email"
        ? mail(delivery, rule, report)
        : Effect.map(chat(rule, report), (result) => ({ delivery, result }))

    return Effect.fn("NotificationDelivery.deliver")(function*(delivery: Delivery) {
      const rule = yield* store.findRule(delivery.scope, delivery.rule_id)
      if (Option.isNone(rule)) return
      const ending = endingWithoutAttempt(delivery, rule.value)
      if (ending?.state === "failed") return yield* giveUp(delivery, ending.error)
      if (ending !== null) return yield* finish(delivery, ending.state, ending.error)
      const report = yield* store.findReport(delivery.run_id)
      if (Option.isNone(report)) return yield* giveUp(delivery, "The report is no longer available")
      // The result of an attempt is always recorded, even during shutdown.
      yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(attempt(delivery, rule.value, report.value)), recordResult)
      )
    })
  })
