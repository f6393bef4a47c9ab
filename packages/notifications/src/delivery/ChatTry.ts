import { WebAddressRules } from "@trunkline/kernel"
import { HttpSender } from "@trunkline/webhooks"
import { Duration, Effect, Option } from "effect"
import type { Report } from "../reports/Report.js"
import { chatOf, type PlainChatMessage, plainChatOf } from "../reports/ReportChat.js"
import { chatAddressIssue, NotificationOptions } from "../rules/ChatAddress.js"
import type { NotificationRule } from "../rules/NotificationRule.js"
import { Sealer } from "../rules/Sealer.js"
import { makeChatTurns } from "./ChatTurns.js"
import { askedWait } from "./Retries.js"
import type { TryResult } from "./TryResult.js"

/** From connect to the last byte of the answer (design: boards 6). */
const chatTimeout = Duration.seconds(10)

/** Answers that another try would get again (design: boards 6). */
const permanentStatuses: ReadonlyArray<number> = [400, 403, 404, 410]

type Answer = { readonly status: number; readonly retryAfter: string | undefined }

const failed = (error: string): TryResult => ({ end: "failed", error })

const unreadable = failed(
  "The address of the chat webhook cannot be read: it was sealed with another key. Set it again"
)
const forbidden = failed("The address of the chat webhook is not allowed any more")

const verdictOf = ({ retryAfter, status }: Answer): TryResult => {
  if (status >= 200 && status < 300) return { end: "delivered" }
  if (permanentStatuses.includes(status)) return failed(`HTTP ${status}`)
  return { end: "retry", error: `HTTP ${status}`, asked: askedWait(retryAfter) }
}

/**
 * Makes a try of a delivery by chat webhook, one message a second for each address. What a chat refuses with 400 is sent
 * once more at once as plain text, for chats that do not know Slack's blocks.
 */
export const makeChatTry = (version: string) =>
  Effect.gen(function*() {
    const sender = yield* HttpSender
    const sealer = yield* Sealer
    const { chatHosts } = yield* NotificationOptions
    const { allowInsecureUrls } = yield* WebAddressRules
    const turn = makeChatTurns()
    const headers = { "content-type": "application/json", "user-agent": `trunkline/${version}` }

    const post = (url: string, message: PlainChatMessage) =>
      turn(url).pipe(
        Effect.zipRight(sender.post({
          url,
          headers,
          body: new TextEncoder().encode(JSON.stringify(message)),
          timeout: chatTimeout
        })),
        Effect.map(({ headers, status }): Answer => ({ status, retryAfter: headers["retry-after"] }))
      )

    return Effect.fn("NotificationDelivery.chat")(function*(rule: NotificationRule, report: Report) {
      const opened = yield* sealer.open(rule.sealed_slack_webhook ?? "")
      if (Option.isNone(opened)) return unreadable
      const url = opened.value
      if (chatAddressIssue(url, { allowInsecureUrls, chatHosts }) !== null) return forbidden
      const message = chatOf(report)
      return yield* post(url, message).pipe(
        Effect.flatMap((answer) => answer.status === 400 ? post(url, plainChatOf(message)) : Effect.succeed(answer)),
        Effect.map(verdictOf),
        Effect.catchAll(({ reason }) => Effect.succeed<TryResult>({ end: "retry", error: reason, asked: 0 }))
      )
    })
  })
