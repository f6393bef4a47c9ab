import { ChartRenderer } from "@trunkline/charts"
import { describeCause, sha256Hex } from "@trunkline/kernel"
import { Cause, Clock, Duration, Effect, Either, Option } from "effect"
import type { MailContent } from "../mail/Mail.js"
import { Mailer, MailFailed } from "../mail/Mailer.js"
import { isRunFailure, type Report } from "../reports/Report.js"
import { mailOf } from "../reports/ReportMail.js"
import type { NotificationRule } from "../rules/NotificationRule.js"
import { NotificationStore } from "../schedule/NotificationStore.js"
import type { Delivery, Settled } from "./Delivery.js"
import { LEASE } from "./Line.js"
import type { TryResult } from "./TryResult.js"

/** From connect to the server's last word; well under a lease. */
const mailTimeout = Duration.minutes(1)

/** A mail goes without a picture that takes longer. */
const chartTimeout = Duration.seconds(30)

const noChart = Effect.succeed(Option.none<Uint8Array>())

const timedOut = () => new MailFailed({ permanent: false, reason: "The mail server did not answer in time" })

/** Enough of a digest to tell 50 people apart. */
const digestLength = 24

/** The Message-ID of a mail: the same for every try of the same run and recipient (RFC 5322, 3.6.4). */
export const messageIdOf = (run_id: string, address: string, domain: string): Effect.Effect<string> =>
  Effect.map(
    sha256Hex(address.toLowerCase()),
    (digest) => `<${run_id}.${digest.slice(0, digestLength)}@${domain}>`
  )

const lost: TryResult = { end: "lost" }

const isOf = (address: string) => (one: Settled) => one.address.toLowerCase() === address.toLowerCase()

/** What follows when every recipient of a delivery has had a turn; `failure` is why somebody may have it later. */
const resultOf = (
  recipients: ReadonlyArray<string>,
  settled: ReadonlyArray<Settled>,
  failure: string | null
): TryResult => {
  const known = recipients.map((to) => settled.find(isOf(to)))
  const refused = known.map((one) => one?.refused ?? null).find((reason) => reason !== null)
  const reason = failure ?? refused
  if (reason === undefined) return { end: "delivered" }
  const reached = known.filter((one) => one?.refused === null).length
  const error = recipients.length === 1 ? reason : `${reached} of ${recipients.length} recipients have it: ${reason}`
  return failure === null ? { end: "failed", error } : { end: "retry", error, asked: 0 }
}

/**
 * Makes a try of a claimed delivery by mail: one message for each recipient who was not settled by an earlier try, and the
 * delivery is told of each as soon as it is known, so that whoever takes up a broken try mails nobody twice. A server's
 * refusal for good settles a recipient too; the others still get theirs.
 */
export const makeMailTry = (domain: string) =>
  Effect.gen(function*() {
    const store = yield* NotificationStore
    const mailer = yield* Mailer
    const charts = yield* ChartRenderer

    const contentOf = (report: Report): Effect.Effect<MailContent> =>
      Effect.gen(function*() {
        const { outcome, viz_config, viz_type, widget_name } = report
        if (isRunFailure(outcome)) return yield* mailOf(report)
        const picture = { title: widget_name, viz_type, viz_config, table: outcome }
        const chart = yield* charts.render(picture, "png").pipe(
          Effect.timeoutOption(chartTimeout),
          Effect.catchAll(() => noChart),
          Effect.catchAllDefect((defect) =>
            Effect.zipRight(Effect.logError("A chart could not be drawn", describeCause(Cause.die(defect))), noChart)
          )
        )
        return yield* mailOf(report, { chart: Option.getOrUndefined(chart) })
      })

    const send = (run_id: string, to: string, content: MailContent) =>
      Effect.gen(function*() {
        const message_id = yield* messageIdOf(run_id, to, domain)
        return yield* mailer.send({ ...content, to, message_id })
      }).pipe(
        Effect.timeoutFail({ duration: mailTimeout, onTimeout: timedOut }),
        Effect.as<Settled>({ address: to, refused: null }),
        Effect.catchIf(
          ({ permanent }) => permanent,
          ({ reason }) => Effect.succeed<Settled>({ address: to, refused: reason })
        )
      )

    /** Mails one recipient and records what came of it, also when the process is being stopped. */
    const mailOne = (delivery: Delivery, to: string, content: MailContent) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const sent = yield* Effect.either(restore(send(delivery.run_id, to, content)))
          const settled = Either.isRight(sent) ? [...delivery.settled, sent.right] : delivery.settled
          const now = yield* Clock.currentTimeMillis
          const changed = { ...delivery, settled, leased_until: now + Duration.toMillis(LEASE) }
          const isOurs = yield* store.saveDelivery(changed)
          return { changed, isOurs, failure: Either.isLeft(sent) ? sent.left.reason : null }
        })
      )

    return Effect.fn("NotificationDelivery.mail")(
      function*(claimed: Delivery, rule: NotificationRule, report: Report) {
        const recipients = rule.email_recipients ?? []
        const content = yield* contentOf(report)
        let delivery = claimed
        let failure: string | null = null
        for (const to of recipients) {
          if (delivery.settled.some(isOf(to))) continue
          const one = yield* mailOne(delivery, to, content)
          if (!one.isOurs) return { delivery, result: lost }
          delivery = one.changed
          failure = one.failure ?? failure
        }
        return { delivery, result: resultOf(recipients, delivery.settled, failure) }
      }
    )
  })
