import { type Attachment, type Mail, Mailer, MailError } from "@trunkline/notifications"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { createTransport, type SendMailOptions } from "nodemailer"
import { type BadSmtpOptions, poolOptions, type SmtpOptions } from "./SmtpOptions.js"

/** Fields of nodemailer's errors that reveal nothing of the mail. */
const SmtpError = Schema.Struct({
  code: Schema.optional(Schema.String),
  command: Schema.optional(Schema.String),
  originalCode: Schema.optional(Schema.String),
  response: Schema.optional(Schema.String),
  responseCode: Schema.optional(Schema.Number)
})
type SmtpError = typeof SmtpError.Type

const decodeSmtpError = Schema.decodeUnknownOption(SmtpError)

/**
 * The server's status code, with its enhanced status code (RFC 3463) if present: `550 5.1.1`. The text after it is
 * dropped because it may contain addresses.
 */
const statusOf = ({ response = "", responseCode }: SmtpError): string =>
  /^\d{3}[ -][245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0].replace("-", " ") ?? String(responseCode)

const rejectionOf = (error: SmtpError): string => {
  switch (error.command) {
    case "MAIL FROM":
      return "refused the sender"
    case "RCPT TO":
      return "refused the recipient"
    case "DATA":
      return "refused the mail"
    default:
      return error.code === "EAUTH" ? "refused the credentials" : "refused the connection"
  }
}

/** Messages for failures without a server reply, by nodemailer error code. */
const clientErrors: Readonly<Record<string, string>> = {
  EAUTH: "The mail server does not take these credentials",
  ECONNECTION: "The connection to the mail server broke off",
  EDNS: "The mail server was not found",
  EENVELOPE: "The mail server cannot take this address",
  ESOCKET: "The mail server was not reached",
  ETIMEDOUT: "The mail server did not answer in time"
}

/** Error codes without a server reply that a retry cannot fix. */
const permanentCodes = ["EAUTH", "ECONFIG", "EENVELOPE", "EFILEACCESS", "EMESSAGE", "EURLACCESS"]

/** Node's error codes for untrusted certificates and servers without TLS. */
const tlsCode = /CERT|TLS|SSL|ISSUER|SIGNATURE/

const isInsecure = ({ code, originalCode = "" }: SmtpError) => code === "ETLS" || tlsCode.test(originalCode)

/** Bad sequence of commands: the session is out of step, and a new one may succeed. */
const badSequence = 503

/**
 * Classifies a nodemailer error. Replies from 500 on are permanent, rejected credentials included because further
 * attempts can lock an account. Temporary are 503, other replies, timeouts, and connections that failed, broke or were
 * not secure (RFC 5321, section 4.2.1).
 */
const toMailError = (error: unknown): MailError => {
  const smtp = Option.getOrElse(decodeSmtpError(error), (): SmtpError => ({}))
  if (isInsecure(smtp)) {
    return new MailError({ permanent: false, reason: "The mail server made no secure connection" })
  }
  if (smtp.responseCode !== undefined) {
    return new MailError({
      permanent: smtp.responseCode >= 500 && smtp.responseCode !== badSequence,
      reason: `The mail server ${rejectionOf(smtp)} (${statusOf(smtp)})`
    })
  }
  const code = smtp.code ?? ""
  return new MailError({
    permanent: permanentCodes.includes(code),
    reason: clientErrors[code] ?? "The mail could not be sent"
  })
}

export { BadSmtpOptions, type SmtpOptions, type SmtpServer, type SmtpUrl } from "./SmtpOptions.js"

const toAttachment = ({ cid, content, contentType, filename }: Attachment) => ({
  filename,
  contentType,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  ...(cid === undefined
    ? { contentDisposition: "attachment" as const }
    : { cid, contentDisposition: "inline" as const })
})

const toMessage = (mail: Mail, from: SmtpOptions["from"]): SendMailOptions => ({
  from: { name: from.name ?? "", address: from.address },
  to: { name: "", address: mail.to },
  envelope: { from: from.address, to: [mail.to] },
  messageId: mail.message_id,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  attachments: mail.attachments.map(toAttachment),
  // Suppresses out-of-office replies (RFC 3834).
  headers: { "Auto-Submitted": "auto-generated" },
  disableFileAccess: true,
  disableUrlAccess: true
})

/**
 * Sends mail over SMTP through a pool of connections that closes with the scope. Connections use STARTTLS or implicit
 * TLS with certificate validation, unless `allowInsecure` is set.
 *
 * Each mail is one message to one recipient. Interrupting a send closes its connection; whether the server accepted the
 * mail is then unknown, so retry with the same Message-ID to let receivers deduplicate. Never reads files or fetches
 * URLs that a mail mentions.
 *
 * Fails with `BadSmtpOptions` when the options are invalid.
 *
 * @example
 * ```ts
 * import { MailerSmtp } from "@trunkline/mailer-smtp"
 * import { Redacted } from "effect"
 *
 * const mailer = MailerSmtp.layer({
 *   url: Redacted.make("smtps://user:password@mail.example.in"),
 *   from: { address: "calls@example.in", name: "Call reports" }
 * })
 * ```
 */
export const layer = (options: SmtpOptions): Layer.Layer<Mailer, BadSmtpOptions> =>
  Layer.scoped(
    Mailer,
    Effect.gen(function*() {
      const timeout = Duration.decode(options.timeout ?? "60 seconds")
      const pool = yield* poolOptions(options)
      const transport = yield* Effect.acquireRelease(
        // Errors of a mail fail its own send; errors of idle connections are ignored.
        Effect.sync(() => createTransport(pool).on("error", () => {})),
        (transport) => Effect.sync(() => transport.close({ force: true }))
      )
      return Mailer.make((mail) =>
        Effect.tryPromise({
          try: (signal) => transport.sendMail({ ...toMessage(mail, options.from), signal }),
          catch: toMailError
        }).pipe(
          Effect.asVoid,
          Effect.timeoutFail({
            duration: timeout,
            onTimeout: () => new MailError({ permanent: false, reason: "The mail server took too long" })
          })
        )
      )
    })
  )
