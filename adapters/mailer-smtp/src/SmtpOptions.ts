import { isMailAddress } from "@trunkline/notifications"
import { Duration, Either, Option, Redacted, Schema } from "effect"
import type { SMTPPoolOptions } from "nodemailer"

/** Where a mail server is, as a URL: `smtps://user:password@mail.example.in:465`, or `smtp:` for STARTTLS. */
export interface SmtpUrl {
  /** Redacted, as it may hold a password. User and password are percent-encoded; it has no path and no query. */
  readonly url: Redacted.Redacted
}

/** Where a mail server is, in parts. */
export interface SmtpServer {
  readonly host: string
  /** Without one 587, or 465 for `implicit` TLS. */
  readonly port?: number | undefined
  /** `starttls`, the default, makes a plain connection secure; `implicit` is secure from its first byte. */
  readonly tls?: "starttls" | "implicit" | undefined
  readonly user?: string | undefined
  readonly password?: Redacted.Redacted | undefined
}

/** How mail leaves. */
export type SmtpOptions = (SmtpUrl | SmtpServer) & {
  /** Whom it is from. Answers go there. */
  readonly from: { readonly address: string; readonly name?: string | undefined }
  /** Certificates in PEM to trust in place of the public authorities', for a mail server of one's own. */
  readonly certificateAuthority?: string | undefined
  /** Takes any certificate, and goes on in plain text where the server offers no TLS: for servers on the same machine. */
  readonly allowInsecure?: boolean | undefined
  /** Connections kept at most; 3 without it. */
  readonly connections?: number | undefined
  /** How long connecting may take, and how long the server's greeting; 10 seconds without it. */
  readonly connectTimeout?: Duration.DurationInput | undefined
  /** How long the server may be silent; 30 seconds without it. */
  readonly silenceTimeout?: Duration.DurationInput | undefined
  /** How long one mail may take, its wait for a connection included; 60 seconds without it. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** The options do not say how mail leaves. */
export class BadSmtpOptions extends Schema.TaggedError<BadSmtpOptions>()("BadSmtpOptions", {
  /** What is wrong with them: never the URL, a name or a password. */
  message: Schema.String
}) {}

const bad = (message: string) => Either.left(new BadSmtpOptions({ message }))

const decoded = Option.liftThrowable(decodeURIComponent)

const serverOf = ({ url }: SmtpUrl): Either.Either<SmtpServer, BadSmtpOptions> => {
  const parsed = Option.getOrUndefined(Option.liftThrowable((text: string) => new URL(text))(Redacted.value(url)))
  if (parsed === undefined || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === "") {
    return bad("The URL of the mail server must be smtp://host or smtps://host")
  }
  if (!/^\/?$/.test(parsed.pathname) || parsed.search !== "" || parsed.hash !== "") {
    return bad("The URL of the mail server must end after its host and port: all else is an option")
  }
  const user = decoded(parsed.username)
  const password = decoded(parsed.password)
  if (Option.isNone(user) || Option.isNone(password)) {
    return bad("User and password in the URL of the mail server must be percent-encoded")
  }
  return Either.right({
    host: parsed.hostname.replace(/^\[|\]$/g, ""),
    port: parsed.port === "" ? undefined : Number(parsed.port),
    tls: parsed.protocol === "smtps:" ? "implicit" : "starttls",
    ...(user.value === "" ? {} : { user: user.value, password: Redacted.make(password.value) })
  })
}

const control = /\p{Cc}/u

/** What nodemailer is told, or what is wrong with the options. */
export const poolOptions = (options: SmtpOptions): Either.Either<SMTPPoolOptions & { pool: true }, BadSmtpOptions> =>
  Either.gen(function*() {
    const { allowInsecure = false, certificateAuthority, connections = 3, from } = options
    const { host, password, port, tls = "starttls", user } = yield* "url" in options
      ? serverOf(options)
      : Either.right(options)
    if (!isMailAddress(from.address)) return yield* bad("`from.address` must be one mail address")
    if (control.test(from.name ?? "")) return yield* bad("`from.name` must be one line")
    if (host === "" || control.test(host)) return yield* bad("`host` must be the name of a host")
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
      // Only a mail of which no byte was sent is taken up again, as when a kept connection turns out to be closed.
      maxRequeues: 2,
      dnsTimeout: connectTimeout,
      connectionTimeout: connectTimeout,
      greetingTimeout: connectTimeout,
      socketTimeout: Duration.toMillis(options.silenceTimeout ?? "30 seconds"),
      disableFileAccess: true,
      disableUrlAccess: true
    }
  })
