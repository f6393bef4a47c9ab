import { MailerSmtp } from "@trunkline/mailer-smtp"
import { Mailer } from "@trunkline/notifications"
import { type Layer, Redacted } from "effect"
import type { Bootstrap } from "./Bootstrap.js"

/** The mail server of a bootstrap file, or none. */
export const mailerOf = (mail: Bootstrap["mail"]): Layer.Layer<Mailer, MailerSmtp.BadSmtpOptions> => {
  if (mail === null) return Mailer.layerNone
  const { allow_insecure, from, host, password_env, port, tls, user } = mail
  const password = password_env === undefined ? undefined : process.env[password_env]
  return MailerSmtp.layer({
    host,
    port,
    tls,
    user,
    from,
    password: password === undefined ? undefined : Redacted.make(password),
    allowInsecure: allow_insecure
  })
}
