import { type Attachment, type Mail, Mailer, MailFailed } from "@trunkline/notifications"
import { Duration, Effect, Layer } from "effect"
import { createTransport, type SendMailOptions } from "nodemailer"
import { smtpFailure } from "./SmtpFailure.js"
import { type BadSmtpOptions, poolOptions, type SmtpOptions } from "./SmtpOptions.js"

export { BadSmtpOptions, type SmtpOptions, type SmtpServer, type SmtpUrl } from "./SmtpOptions.js"

const fileOf = ({ cid, content, contentType, filename }: Attachment) => ({
  filename,
  contentType,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  ...(cid === undefined
    ? { contentDisposition: "attachment" as const }
    : { cid, contentDisposition: "inline" as const })
})

const messageOf = (mail: Mail, from: SmtpOptions["from"]): SendMailOptions => ({
  from: { name: from.name ?? "", address: from.address },
  to: { name: "", address: mail.to },
  envelope: { from: from.address, to: [mail.to] },
  messageId: mail.message_id,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  attachments: mail.attachments.map(fileOf),
  // Nobody's absence notice should come back (RFC 3834).
  headers: { "Auto-Submitted": "auto-generated" },
  disableFileAccess: true,
  disableUrlAccess: true
})

/**
 * Mail over SMTP, through connections that are kept and closed with the scope. Connections are secure (STARTTLS, or TLS
 * from the start), with a certificate that is checked, unless `allowInsecure` says otherwise.
 *
 * Each mail is one message to one recipient. Interrupting a mail closes its connection: whether the server took it is then
 * not known, and the same Message-ID at the next try is what tells. Reads no files and fetches nothing, whatever a mail says.
 */
export const layer = (options: SmtpOptions): Layer.Layer<Mailer, BadSmtpOptions> =>
  Layer.scoped(
    Mailer,
    Effect.gen(function*() {
      const timeout = Duration.decode(options.timeout ?? "60 seconds")
      const pool = yield* poolOptions(options)
      const transport = yield* Effect.acquireRelease(
        // Failures reach those whose mail they are; what befalls idle connections is nobody's.
        Effect.sync(() => createTransport(pool).on("error", () => {})),
        (transport) => Effect.sync(() => transport.close({ force: true }))
      )
      return Mailer.checked((mail) =>
        Effect.tryPromise({
          try: (signal) => transport.sendMail({ ...messageOf(mail, options.from), signal }),
          catch: smtpFailure
        }).pipe(
          Effect.asVoid,
          Effect.timeoutFail({
            duration: timeout,
            onTimeout: () => new MailFailed({ permanent: false, reason: "The mail server took too long" })
          })
        )
      )
    })
  )
