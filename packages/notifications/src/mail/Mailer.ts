import { Context, Effect, Layer, Schema } from "effect"

/** A file attached to a mail. */
export interface Attachment {
  /** Such as `Calls per day.csv`. */
  readonly filename: string
  readonly content: Uint8Array
  /** Media type, such as `text/csv; charset=utf-8`. */
  readonly contentType: string
  /** Content id; when set, the file is an inline image that the HTML references as `cid:<cid>`. */
  readonly cid?: string | undefined
}

/** Content of a mail, independent of its recipient. */
export interface MailContent {
  /** A single line. */
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<Attachment>
}

/** A mail to one recipient. */
export interface Mail extends MailContent {
  /** Bare address, such as `asha@example.in`, without a display name. */
  readonly to: string
  /**
   * The same for every attempt to send this mail, such as `<rep-1a2b.0@reports.example.in>` (RFC 5322, section 3.6.4).
   */
  readonly message_id: string
}

/** Longest address that mail servers accept (RFC 5321, section 4.5.3.1, and RFC 3696, erratum 1690). */
const maxAddress = 254

/** Control characters, and line and paragraph separators. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u

/**
 * An address without display name, comment, quotes or brackets. Unicode is accepted; the server decides whether to
 * deliver it.
 */
const addressPattern = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u

/** A Message-ID in angle brackets that fits on a header line (RFC 5322, section 3.6.4). */
const messageId = /^<[\w.!#$%&'*+\-/=?^`{|}~]{1,200}@[\w.-]{1,255}>$/

const mediaType = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/

const contentId = /^[\w.@-]{1,120}$/

/**
 * Tests for a single bare mail address that is safe in a header: no display name, list or line break, at most 254
 * characters.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= maxAddress && !control.test(text) && addressPattern.test(text)

const attachmentIssue = ({ cid, contentType, filename }: Attachment): string | undefined => {
  if (filename === "" || control.test(filename)) {
    return "The name of an attached file is empty or holds control characters"
  }
  if (!mediaType.test(contentType)) return "The media type of an attached file is not one"
  return cid === undefined || contentId.test(cid) ? undefined : "The content id of an attached file is not one"
}

/** Reason why a mail is invalid, or undefined. Contains nothing of the mail. */
const mailIssue = (mail: Mail): string | undefined => {
  if (!isMailAddress(mail.to)) return "The recipient is not one mail address"
  if (control.test(mail.subject)) return "The subject holds control characters"
  if (!messageId.test(mail.message_id)) return "The message id is not one"
  return mail.attachments.map(attachmentIssue).find((issue) => issue !== undefined)
}

/** A mail could not be sent. */
export class MailError extends Schema.TaggedError<MailError>()("MailError", {
  /** True when a retry would fail as well. */
  permanent: Schema.Boolean,
  /** Reason for logs and the delivery history; never contains an address, a name or content of the mail. */
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** Sends one mail. */
export type SendMail = (mail: Mail) => Effect.Effect<void, MailError>

/** Mails accepted by `Mailer.layerMemory`, for tests and rehearsals. */
export class SentMail extends Context.Tag("@trunkline/notifications/SentMail")<SentMail, {
  /** Oldest first. */
  readonly mails: Effect.Effect<ReadonlyArray<Mail>>
}>() {}

/**
 * Sends mail. `mailerLaws` from `@trunkline/notifications/testing` checks an implementation.
 *
 * @example
 * ```ts
 * import { Mailer } from "@trunkline/notifications"
 * import { Effect } from "effect"
 *
 * const send = Effect.flatMap(Mailer, (mailer) =>
 *   mailer.send({
 *     to: "asha@example.in",
 *     message_id: "<report-1@example.in>",
 *     subject: "Calls per day",
 *     text: "12 calls",
 *     html: "<p>12 calls</p>",
 *     attachments: []
 *   }))
 * ```
 */
export class Mailer extends Context.Tag("@trunkline/notifications/Mailer")<Mailer, {
  /**
   * Sends one mail to one recipient and completes when a mail server has accepted it. Fails permanently for an invalid
   * mail, such as one with several addresses, a line break in a header or a file without a name.
   */
  readonly send: SendMail
}>() {
  /** Builds a mailer that validates mails before passing them to `send`. */
  static readonly make = (send: SendMail): typeof Mailer.Service => ({
    send: (mail) =>
      Effect.suspend(() => {
        const reason = mailIssue(mail)
        return reason === undefined ? send(mail) : new MailError({ permanent: true, reason })
      })
  })

  /** A mailer for tests that passes validated mails to `send`. */
  static readonly layerOf = (send: SendMail): Layer.Layer<Mailer> => Layer.succeed(Mailer, Mailer.make(send))

  /** Keeps mails in memory; `SentMail` lists them. */
  static readonly layerMemory: Layer.Layer<Mailer | SentMail> = Layer.unwrapEffect(Effect.sync(() => {
    const mails: Array<Mail> = []
    return Layer.merge(
      Mailer.layerOf((mail) => Effect.sync(() => void mails.push(mail))),
      Layer.succeed(SentMail, { mails: Effect.sync(() => [...mails]) })
    )
  }))

  /** Fails every mail permanently, for servers without mail. */
  static readonly layerNone: Layer.Layer<Mailer> = Layer.succeed(Mailer, {
    send: () => new MailError({ permanent: true, reason: "No mail server is set up" })
  })
}
