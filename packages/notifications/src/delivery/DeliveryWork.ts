import { Transactions } from "@trunkline/kernel"
import { Clock, Effect, Option, Random } from "effect"
import type { Report } from "../reports/Report.js"
import { channelsOf, type NotificationRule } from "../rules/NotificationRule.js"
import { NotificationStore } from "../schedule/NotificationStore.js"
import { makeChatTry } from "./ChatTry.js"
import type { Delivery, DeliveryState } from "./Delivery.js"
import { makeMailTry } from "./MailTry.js"
import { MAX_TRIES, retryWait } from "./Retries.js"
import type { TryResult } from "./TryResult.js"

/** How messages are signed off. */
export interface MessageOptions {
  /** The version in `user-agent: trunkline/<version>`. */
  readonly version: string
  /** What follows the `@` in a Message-ID. */
  readonly messageIdDomain: string
}

/** A delivery after its try, and what came of it. */
interface Tried {
  readonly delivery: Delivery
  readonly result: TryResult
}

/** How a delivery ends without a try. */
interface Ending {
  readonly state: Exclude<DeliveryState, "pending">
  readonly error: string
}

const endingBefore = (delivery: Delivery, rule: NotificationRule): Ending | null => {
  if (!rule.enabled) return { state: "cancelled", error: "The rule was disabled" }
  if (!channelsOf(rule).includes(delivery.channel)) {
    return { state: "cancelled", error: "The rule does not report by this channel any more" }
  }
  return delivery.tries > MAX_TRIES ? { state: "failed", error: "The last try was interrupted" } : null
}

/**
 * Makes what is done with a claimed delivery: a try, if its rule still wants it, and the record of what came of it. A
 * rule that was removed meanwhile took its deliveries with it.
 */
export const makeDeliveryWork = ({ messageIdDomain, version }: MessageOptions) =>
  Effect.gen(function*() {
    const store = yield* NotificationStore
    const transactions = yield* Transactions
    const mail = yield* makeMailTry(messageIdDomain)
    const chat = yield* makeChatTry(version)

    const over = (delivery: Delivery, state: DeliveryState, last_error: string | null) =>
      Effect.gen(function*() {
        const finished_at = yield* Clock.currentTimeMillis
        const ended = { ...delivery, state, last_error, finished_at, leased_until: 0, settled: [] }
        if (yield* store.saveDelivery(ended)) yield* store.closeRun(delivery.run_id)
      }).pipe(transactions.run)

    const give = (delivery: Delivery, error: string) =>
      Effect.zipRight(
        Effect.logWarning(`A report by ${delivery.channel} is given up at try ${delivery.tries}: ${error}`),
        over(delivery, "failed", error)
      )

    const settle = ({ delivery, result }: Tried) => {
      switch (result.end) {
        case "lost":
          return Effect.void
        case "delivered":
          return over(delivery, "delivered", null)
        case "failed":
          return give(delivery, result.error)
        case "retry":
          return Effect.gen(function*() {
            const wait = retryWait(delivery.tries, yield* Random.next, result.asked)
            if (Option.isNone(wait)) return yield* give(delivery, result.error)
            const due_at = (yield* Clock.currentTimeMillis) + wait.value
            yield* store.saveDelivery({ ...delivery, due_at, leased_until: 0, last_error: result.error })
          })
      }
    }

    const tryOnce = (delivery: Delivery, rule: NotificationRule, report: Report): Effect.Effect<Tried> =>
      delivery.channel === "email"
        ? mail(delivery, rule, report)
        : Effect.map(chat(rule, report), (result) => ({ delivery, result }))

    return Effect.fn("NotificationDelivery.deliver")(function*(delivery: Delivery) {
      const rule = yield* store.findRule(delivery.scope, delivery.rule_id)
      if (Option.isNone(rule)) return
      const ending = endingBefore(delivery, rule.value)
      if (ending !== null) return yield* over(delivery, ending.state, ending.error)
      const report = yield* store.findReport(delivery.run_id)
      if (Option.isNone(report)) return yield* give(delivery, "What it was to tell is gone")
      // What was sent is always recorded: whoever stops the process waits for that.
      yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(tryOnce(delivery, rule.value, report.value)), settle)
      )
    })
  })
