import { isMailAddress } from "@trunkline/notifications"
import { Duration, Either, Option, Redacted, Schema } from "effect"
import type { SMTPPoolOptions } from "nodemailer"

/** A mail server as a URL: `smtps://user:password@mail.example.in:465`, or `smtp:` for STARTTLS. */
export interface SmtpUrl {
  /**
   * Redacted because it may contain a password. User and password are percent-encoded. Must not have a path or query.
   */
  readonly url: Redacted.Redacted
}

/** A mail server as separate fields. */
export interface SmtpServer {
  readonly host: string
  /** Default 587, or 465 for `implicit` TLS. */
  readonly port?: number | undefined
  /** `starttls` (default) upgrades a plain connection; `implicit` uses TLS from the first byte. */
  readonly tls?: "starttls" | "implicit" | undefined
  readonly user?: string | undefined
  readonly password?: Redacted.Redacted | undefined
}

/** Options of the SMTP mailer. */
export type SmtpOptions = (SmtpUrl | SmtpServer) & {
  /** Sender of every mail; replies go to its address. */
  readonly from: { readonly address: string; readonly name?: string | undefined }
  /** PEM certificates to trust instead of the public authorities, for a private mail server. */
  readonly certificateAuthority?: string | undefined
  /** Accepts any certificate, and plain text when the server offers no TLS. Only for servers on the same machine. */
  readonly allowInsecure?: boolean | undefined
  /** Size of the connection pool; default 3. */
  readonly connections?: number | undefined
  /** Timeout for each of DNS lookup, connecting and the server's greeting; default 10 seconds. */
  readonly connectTimeout?: Duration.DurationInput | undefined
  /** Socket inactivity timeout; default 30 seconds. */
  readonly silenceTimeout?: Duration.DurationInput | undefined
  /** Timeout for one mail, including the wait for a connection; default 60 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** The SMTP options are invalid. */
export class BadSmtpOptions extends Schema.TaggedError<BadSmtpOptions>()("BadSmtpOptions", {
  /** Description of the problem. Never contains the URL, a user name or a password. */
  message: Schema.String
}) {}

const invalid = (message: string) => Either.left(new BadSmtpOptions({ message }))

const decodePercent = Option.liftThrowable(decodeURIComponent)

const parseUrl = ({ url }: SmtpUrl): Either.Either<SmtpServer, BadSmtpOptions> => {
  const parsedUrl = Option.getOrUndefined(Option.liftThrowable((text: string) => new URL(text))(Redacted.value(url)))
  if (parsedUrl === undefined || !/^smtps?:$/.test(parsedUrl.protocol) || parsedUrl.hostname === "") {
    return invalid("The URL of the mail server must be smtp://host or smtps://host")
  }
  if (!/^\/?$/.test(parsedUrl.pathname) || parsedUrl.search !== "" || parsedUrl.hash !== "") {
    return invalid("The URL of the mail server must not have a path, query or fragment: use options instead")
  }
  const user = decodePercent(parsedUrl.username)
  const password = decodePercent(parsedUrl.password)
  if (Option.isNone(user) || Option.isNone(password)) {
    return invalid("User and password in the URL of the mail server must be percent-encoded")
  }
  return Either.right({
    host: parsedUrl.hostname.replace(/^\[|\]$/g, ""),
    port: parsedUrl.port === "" ? undefined : Number(parsedUrl.port),
    tls: parsedUrl.protocol === "smtps:" ? "implicit" : "starttls",
    ...(user.value === "" ? {} : { user: user.value, password: Redacted.make(password.value) })
  })
}

const control = /\p{Cc}/u

/** Validates the options and converts them to nodemailer's. */
export const poolOptions = (options: SmtpOptions): Either.Either<SMTPPoolOptions & { pool: true }, BadSmtpOptions> =>
  Either.gen(function*() {
    const { allowInsecure = false, certificateAuthority, connections = 3, from } = options
    const { host, password, port, tls = "starttls", user } = yield* "url" in options
      ? parseUrl(options)
      : Either.right(options)
    if (!isMailAddress(from.address)) return yield* invalid("`from.address` must be one mail address")
    if (control.test(from.name ?? "")) return yield* invalid("`from.name` must be one line")
    if (host === "" || control.test(host)) return yield* invalid("`host` must be the name of a host")
    const secure = tls === "implicit"
    const connectTimeout = Duration.toMillis(options.connectTimeout ?? "10 seconds")
    return {
      pool: true,
      host,
      port: port ?? (secure ? 465 : 587),
      secure,
      requireTLS: !allowInsecure,
      tls: { rejectUnauthorized: !allowInsecure, ca: certificateAuthority, minVersion: "TLSv1.2" },
      auth: user === undefined ? undefined : { user, pass: password === undefined ? "" : Redacted.value(password) },
      maxConnections: connections,
      // Retries only mails of which no byte was sent, such as when a pooled connection turns out to be closed.
      maxRequeues: 2,
      dnsTimeout: connectTimeout,
      connectionTimeout: connectTimeout,
      greetingTimeout: connectTimeout,
      socketTimeout: Duration.toMillis(options.silenceTimeout ?? "30 seconds"),
      disableFileAccess: true,
      disableUrlAccess: true
    }
  })
