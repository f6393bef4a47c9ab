import { Context, Effect, Layer, Schema } from "effect"
import type { Mail } from "./Mail.js"
import { mailFault } from "./MailFault.js"

/** A mail was not sent. */
export class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", {
  /** Whether another try of the same mail would fail as well. */
  permanent: Schema.Boolean,
  /** What went wrong, fit for a log and for the delivery history: never an address, a name or a part of the mail. */
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** Hands one mail to whoever carries it. */
export type SendMail = (mail: Mail) => Effect.Effect<void, MailFailed>

/** The mails that `Mailer.layerMemory` took, for tests and rehearsals. */
export class SentMail extends Context.Tag("@trunkline/notifications/SentMail")<SentMail, {
  /** Oldest first. */
  readonly all: Effect.Effect<ReadonlyArray<Mail>>
}>() {}

/** Sends mail. */
export class Mailer extends Context.Tag("@trunkline/notifications/Mailer")<Mailer, {
  /**
   * Sends one mail to one person; done when a mail server took it. Fails at once and for good on a mail that no server
   * should see: an address that is not one address, a line break where a header would break, a file without a name.
   */
  readonly send: SendMail
}>() {
  /** A mailer whose mails were looked at before they are sent: `send` gets none that could break its headers. */
  static readonly checked = (send: SendMail): typeof Mailer.Service => ({
    send: (mail) =>
      Effect.suspend(() => {
        const reason = mailFault(mail)
        return reason === undefined ? send(mail) : new MailFailed({ permanent: true, reason })
      })
  })

  /** Nothing leaves the process: every mail is answered as `send` says. */
  static readonly layerOf = (send: SendMail): Layer.Layer<Mailer> => Layer.succeed(Mailer, Mailer.checked(send))

  /** Nothing leaves the process: mails are kept, and `SentMail` shows them. */
  static readonly layerMemory: Layer.Layer<Mailer | SentMail> = Layer.unwrapEffect(Effect.sync(() => {
    const sent: Array<Mail> = []
    return Layer.merge(
      Mailer.layerOf((mail) => Effect.sync(() => void sent.push(mail))),
      Layer.succeed(SentMail, { all: Effect.sync(() => [...sent]) })
    )
  }))

  /** No mail server is set up: every mail fails for good. */
  static readonly layerNone: Layer.Layer<Mailer> = Layer.succeed(Mailer, {
    send: () => new MailFailed({ permanent: true, reason: "No mail server is set up" })
  })
}
