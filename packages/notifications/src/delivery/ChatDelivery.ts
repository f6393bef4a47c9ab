import { WebAddressRules } from "@trunkline/kernel"
import { HttpSender } from "@trunkline/webhooks"
import { Clock, Duration, Effect, Option } from "effect"
import type { Report } from "../reports/Report.js"
import { renderChat, type ReportMessage, withoutBlocks } from "../reports/ReportChat.js"
import { chatAddressIssue, NotificationOptions } from "../rules/ChatAddress.js"
import type { NotificationRule } from "../rules/NotificationRule.js"
import { Sealer } from "../rules/Sealer.js"
import { type DeliveryResult, parseRetryAfter } from "./Retries.js"

/** Minimum time between two messages to one webhook. Slack allows one per second. */
const chatInterval = Duration.seconds(1)

/**
 * Limits messages to one per second and webhook, in order of request, within this process. The returned effect waits
 * for the next slot of a webhook.
 */
const makeChatThrottle = () => {
  const freeAt = new Map<string, number>()
  return (url: string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      for (const [address, at] of freeAt) if (at <= now) freeAt.delete(address)
      const at = freeAt.get(url) ?? now
      freeAt.set(url, at + Duration.toMillis(chatInterval))
      return at > now ? Effect.sleep(at - now) : Effect.void
    })
}

/** Timeout from connecting to the last byte of the response. */
const chatTimeout = Duration.seconds(10)

/** Statuses that a retry cannot change. */
const permanentStatuses: ReadonlyArray<number> = [400, 403, 404, 410]

type WebhookResponse = { readonly status: number; readonly retryAfter: string | undefined }

const failureOf = (error: string): DeliveryResult => ({ end: "failed", error })

const undecryptable = failureOf(
  "The address of the chat webhook cannot be read: it was sealed with another key. Set it again"
)
const forbidden = failureOf("The address of the chat webhook is not allowed any more")

const toDeliveryResult = ({ retryAfter, status }: WebhookResponse): DeliveryResult => {
  if (status >= 200 && status < 300) return { end: "delivered" }
  if (permanentStatuses.includes(status)) return failureOf(`HTTP ${status}`)
  return { end: "retry", error: `HTTP ${status}`, retryAfter: parseRetryAfter(retryAfter) }
}

/**
 * Creates the function that delivers a report to a chat webhook. A message rejected with 400 is immediately resent as
 * plain text, for chats without Slack's blocks.
 */
export const makeChatDelivery = (version: string) =>
  Effect.gen(function*() {
    const sender = yield* HttpSender
    const sealer = yield* Sealer
    const { chatHosts } = yield* NotificationOptions
    const { allowInsecureUrls } = yield* WebAddressRules
    const throttle = makeChatThrottle()
    const headers = { "content-type": "application/json", "user-agent": `trunkline/${version}` }

    const post = (url: string, message: ReportMessage) =>
      throttle(url).pipe(
        Effect.zipRight(sender.post({
          url,
          headers,
          body: new TextEncoder().encode(JSON.stringify(message)),
          timeout: chatTimeout
        })),
        Effect.map(({ headers, status }): WebhookResponse => ({ status, retryAfter: headers["retry-after"] }))
      )

    return Effect.fn("NotificationDelivery.chat")(function*(rule: NotificationRule, report: Report) {
      const openedText = yield* sealer.open(rule.sealed_slack_webhook ?? "")
      if (Option.isNone(openedText)) return undecryptable
      const url = openedText.value
      if (chatAddressIssue(url, { allowInsecureUrls, chatHosts }) !== null) return forbidden
      const message = renderChat(report)
      return yield* post(url, message).pipe(
        Effect.flatMap((response) =>
          response.status === 400 ? post(url, withoutBlocks(message)) : Effect.succeed(response)
        ),
        Effect.map(toDeliveryResult),
        Effect.catchAll(({ reason }) => Effect.succeed<DeliveryResult>({ end: "retry", error: reason, retryAfter: 0 }))
      )
    })
  })
