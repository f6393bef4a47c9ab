import { chartOf, ChartRenderer, type ChartRequest } from "@trunkline/charts"
import { describeCause, type Scope, sha256Hex } from "@trunkline/kernel"
import { Cause, Clock, Duration, Effect, Either, Option } from "effect"
import { type MailContent, Mailer, MailError } from "../mail/Mailer.js"
import { isWidgetFailure, type Report } from "../reports/Report.js"
import { renderMail } from "../reports/ReportMail.js"
import type { NotificationRule } from "../rules/NotificationRule.js"
import type { Delivery, SettledRecipient } from "../store/Delivery.js"
import { NotificationStore } from "../store/NotificationStore.js"
import { leaseTime } from "./LeaseTime.js"
import type { DeliveryResult } from "./Retries.js"

/** Timeout of one mail; well below a lease. */
const mailTimeout = Duration.minutes(1)

/** A mail is sent without its chart when rendering takes longer. */
const chartTimeout = Duration.seconds(30)

const noChart = Effect.succeed(Option.none<Uint8Array>())

const timedOut = () => new MailError({ permanent: false, reason: "The mail server did not answer in time" })

/** Enough of a digest to distinguish 50 recipients. */
const digestLength = 24

/** Message-ID of a mail; the same for every attempt of a run and recipient (RFC 5322, section 3.6.4). */
const messageIdOf = (run_id: string, address: string, domain: string): Effect.Effect<string> =>
  Effect.map(
    sha256Hex(address.toLowerCase()),
    (digest) => `<${run_id}.${digest.slice(0, digestLength)}@${domain}>`
  )

const lostResult: DeliveryResult = { end: "lost" }

const isRecipient = (address: string) => (one: SettledRecipient) => one.address.toLowerCase() === address.toLowerCase()

/** Result after every recipient had a turn; `failure` is the error of recipients to retry. */
const resultOf = (
  recipients: ReadonlyArray<string>,
  settled: ReadonlyArray<SettledRecipient>,
  failure: string | null
): DeliveryResult => {
  const results = recipients.map((to) => settled.find(isRecipient(to)))
  const refusedText = results.map((one) => one?.refused ?? null).find((reason) => reason !== null)
  const reason = failure ?? refusedText
  if (reason === undefined) return { end: "delivered" }
  const successes = results.filter((one) => one?.refused === null).length
  const error = recipients.length === 1 ? reason : `${successes} of ${recipients.length} recipients have it: ${reason}`
  return failure === null ? { end: "failed", error } : { end: "retry", error, retryAfter: 0 }
}

/** Texts in mails that depend on the server. */
export interface MailDeliveryOptions {
  /** Domain of Message-IDs. */
  readonly messageIdDomain: string
  /** Address of a page that shows a board, or null. */
  readonly boardUrl: (scope: Scope, board_id: string) => string | null
}

/**
 * Creates the function that delivers a report by mail: one message per recipient that is not settled yet. Each
 * recipient's result is recorded immediately, so that resuming an interrupted attempt sends no duplicates. A permanent
 * rejection settles its recipient without affecting the others.
 */
export const makeMailDelivery = ({ boardUrl, messageIdDomain }: MailDeliveryOptions) =>
  Effect.gen(function*() {
    const store = yield* NotificationStore
    const mailer = yield* Mailer
    const charts = yield* ChartRenderer

    /** A number is drawn only for its trend, as the mail shows it in large type anyway, and an empty result not at all. */
    const isWorthDrawing = (request: ChartRequest): boolean => {
      const chart = chartOf(request)
      if (Either.isLeft(chart)) return request.viz_type !== "number"
      return chart.right.kind === "number" ? chart.right.trend !== undefined : chart.right.kind !== "empty"
    }

    const renderContent = (report: Report, boardUrl: string | undefined): Effect.Effect<MailContent> =>
      Effect.gen(function*() {
        const { outcome, viz_config, viz_type, widget_name } = report
        if (isWidgetFailure(outcome)) return yield* renderMail(report, { boardUrl })
        const request = { title: widget_name, viz_type, viz_config, table: outcome }
        if (!isWorthDrawing(request)) return yield* renderMail(report, { boardUrl })
        const chart = yield* charts.render(request, "png").pipe(
          Effect.timeoutOption(chartTimeout),
          Effect.catchAll(() => noChart),
          Effect.catchAllDefect((defect) =>
            Effect.zipRight(Effect.logError("Failed to render a chart", describeCause(Cause.die(defect))), noChart)
          )
        )
        return yield* renderMail(report, { boardUrl, chart: Option.getOrUndefined(chart) })
      })

    const send = (run_id: string, to: string, content: MailContent) =>
      Effect.gen(function*() {
        const message_id = yield* messageIdOf(run_id, to, messageIdDomain)
        return yield* mailer.send({ ...content, to, message_id })
      }).pipe(
        Effect.timeoutFail({ duration: mailTimeout, onTimeout: timedOut }),
        Effect.as<SettledRecipient>({ address: to, refused: null }),
        Effect.catchIf(
          ({ permanent }) => permanent,
          ({ reason }) => Effect.succeed<SettledRecipient>({ address: to, refused: reason })
        )
      )

    /** Mails one recipient and records the result, even during shutdown. */
    const mailOne = (delivery: Delivery, to: string, content: MailContent) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const result = yield* Effect.either(restore(send(delivery.run_id, to, content)))
          const settled = Either.isRight(result) ? [...delivery.settled, result.right] : delivery.settled
          const now = yield* Clock.currentTimeMillis
          const changed = { ...delivery, settled, leased_until: now + Duration.toMillis(leaseTime) }
          const isHeld = yield* store.saveDelivery(changed)
          return { changed, isOurs: isHeld, failure: Either.isLeft(result) ? result.left.reason : null }
        })
      )

    return Effect.fn("NotificationDelivery.mail")(
      function*(claimedDelivery: Delivery, rule: NotificationRule, report: Report) {
        const recipients = rule.email_recipients ?? []
        const content = yield* renderContent(report, boardUrl(claimedDelivery.scope, rule.board_id) ?? undefined)
        let delivery = claimedDelivery
        let failure: string | null = null
        for (const to of recipients) {
          if (delivery.settled.some(isRecipient(to))) continue
          const one = yield* mailOne(delivery, to, content)
          if (!one.isOurs) return { delivery, result: lostResult }
          delivery = one.changed
          failure = one.failure ?? failure
        }
        return { delivery, result: resultOf(recipients, delivery.settled, failure) }
      }
    )
  })
