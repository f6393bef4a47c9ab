import type { MailerSmtp } from "@trunkline/mailer-smtp"
import { Mailer } from "@trunkline/notifications"
import { Effect, Layer, Redacted } from "effect"
import type { ServerConfig } from "./ServerConfig.js"

/** The mail server of a configuration file, or none. */
export const mailerOf = (mail: ServerConfig["mail"]): Layer.Layer<Mailer, MailerSmtp.BadSmtpOptions> => {
  if (mail === null) return Mailer.layerNone
  const { allow_insecure, from, host, password_env, port, tls, user } = mail
  const password = password_env === undefined ? undefined : process.env[password_env]
  return Layer.unwrapEffect(
    Effect.map(Effect.promise(() => import("@trunkline/mailer-smtp")), ({ MailerSmtp }) =>
      MailerSmtp.layer({
        host,
        port,
        tls,
        user,
        from,
        password: password === undefined ? undefined : Redacted.make(password),
        allowInsecure: allow_insecure
      }))
  )
}
