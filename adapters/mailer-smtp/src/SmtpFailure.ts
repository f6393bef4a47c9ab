import { MailFailed } from "@trunkline/notifications"
import { Option, Schema } from "effect"

/** What nodemailer's errors tell, as far as it holds nothing of the mail. */
const SmtpError = Schema.Struct({
  code: Schema.optional(Schema.String),
  command: Schema.optional(Schema.String),
  originalCode: Schema.optional(Schema.String),
  response: Schema.optional(Schema.String),
  responseCode: Schema.optional(Schema.Number)
})
type SmtpError = typeof SmtpError.Type

const read = Schema.decodeUnknownOption(SmtpError)

/** A server's status, with its finer one (RFC 3463) where it gave one: `550 5.1.1`. The text after it may name people. */
const statusOf = ({ response = "", responseCode }: SmtpError): string =>
  /^\d{3}[ -][245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0].replace("-", " ") ?? String(responseCode)

const refused = (error: SmtpError): string => {
  switch (error.command) {
    case "MAIL FROM":
      return "refused the sender"
    case "RCPT TO":
      return "refused the recipient"
    case "DATA":
      return "refused the mail"
    default:
      return error.code === "EAUTH" ? "refused the credentials" : "refused to work"
  }
}

const withoutAnswer: Readonly<Record<string, string>> = {
  EAUTH: "The mail server does not take these credentials",
  ECONNECTION: "The connection to the mail server broke off",
  EDNS: "The mail server was not found",
  EENVELOPE: "The mail server cannot take this address",
  ESOCKET: "The mail server was not reached",
  ETIMEDOUT: "The mail server did not answer in time"
}

/** What would be the same at every try, without any answer of the server. */
const hopeless = ["EAUTH", "ECONFIG", "EENVELOPE", "EFILEACCESS", "EMESSAGE", "EURLACCESS"]

/** What Node calls certificates that it does not trust, and servers that speak no TLS. */
const tlsFault = /CERT|TLS|SSL|ISSUER|SIGNATURE/

const isInsecure = ({ code, originalCode = "" }: SmtpError) => code === "ETLS" || tlsFault.test(originalCode)

/** The server lost the thread of the session: the next one may go well. */
const badSequence = 503

/**
 * Why a mail was not sent. An answer of 500 and more is for good, refused credentials among them, since more tries lock
 * accounts; 503 is not, nor are other answers, lost time, and connections that broke, were not made or were not secure (RFC 5321, 4.2.1).
 */
export const smtpFailure = (error: unknown): MailFailed => {
  const told = Option.getOrElse(read(error), (): SmtpError => ({}))
  if (isInsecure(told)) {
    return new MailFailed({ permanent: false, reason: "The mail server made no secure connection" })
  }
  if (told.responseCode !== undefined) {
    return new MailFailed({
      permanent: told.responseCode >= 500 && told.responseCode !== badSequence,
      reason: `The mail server ${refused(told)} (${statusOf(told)})`
    })
  }
  const code = told.code ?? ""
  return new MailFailed({
    permanent: hopeless.includes(code),
    reason: withoutAnswer[code] ?? "The mail could not be sent"
  })
}
