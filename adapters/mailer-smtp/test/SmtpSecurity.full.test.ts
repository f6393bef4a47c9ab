import { assert, describe, it } from "@effect/vitest"
import { MailerSmtp } from "@trunkline/mailer-smtp"
import { Effect, Layer, Redacted } from "effect"
import type { SMTPServerOptions } from "smtp-server"
import { mailServer, smtpReply } from "./MailServer.js"
import { from, mailerAt, send } from "./Sample.js"
import { selfSigned } from "./SelfSigned.js"

const certificate = selfSigned("localhost")
const trusting = { host: "localhost", allowInsecure: false, certificateAuthority: certificate.cert }
const password = "correct/horse @5%"

const withUsers: SMTPServerOptions = {
  ...certificate,
  authOptional: false,
  allowInsecureAuth: false,
  disabledCommands: [],
  onAuth: (auth, _session, done) =>
    auth.username === "asha@example.in" && auth.password === password
      ? done(null, { user: "asha" })
      : done(smtpReply(535, "5.7.8 asha@example.in gave a wrong password"))
}

const secured: SMTPServerOptions = { ...certificate, disabledCommands: ["AUTH"] }

describe("a mailer", () => {
  it.scoped("upgrades to TLS before sending anything of the mail", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer(secured)
      yield* Effect.provide(send(), mailerAt(port, trusting))
      assert.deepStrictEqual(received.map(({ secure }) => secure), [true])
    }))

  it.scoped("uses TLS from the first byte with implicit TLS", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer({ ...secured, secure: true })
      yield* Effect.provide(send(), mailerAt(port, { ...trusting, tls: "implicit" }))
      assert.strictEqual(received.length, 1)
    }))

  it.scoped("sends nothing to a server without TLS", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer()
      const failed = yield* Effect.flip(send()).pipe(Effect.provide(mailerAt(port, { allowInsecure: false })))
      assert.deepInclude(failed, { permanent: false, reason: "The mail server made no secure connection" })
      assert.strictEqual(received.length, 0)
    }))

  it.scoped("sends nothing to a server with an untrusted certificate or one for another host", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer(secured)
      const another = mailerAt(port, { ...trusting, host: "127.0.0.1" })
      const unknown = mailerAt(port, { host: "localhost", allowInsecure: false })
      for (const mailer of [another, unknown]) {
        const failed = yield* Effect.flip(send()).pipe(Effect.provide(mailer))
        assert.deepInclude(failed, { permanent: false, reason: "The mail server made no secure connection" })
      }
      assert.strictEqual(received.length, 0)
    }))

  it.scoped("accepts any certificate or none with allowInsecure", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer(secured)
      yield* Effect.provide(send(), mailerAt(port))
      assert.deepStrictEqual(received.map(({ secure }) => secure), [true])
    }))

  it.scoped("authenticates with credentials given as fields or in a URL", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer(withUsers)
      const url = `smtp://${encodeURIComponent("asha@example.in")}:${encodeURIComponent(password)}@localhost:${port}`
      const mailers = [
        mailerAt(port, { ...trusting, user: "asha@example.in", password: Redacted.make(password) }),
        MailerSmtp.layer({ url: Redacted.make(url), from, certificateAuthority: certificate.cert })
      ]
      for (const mailer of mailers) yield* Effect.provide(send(), mailer)
      assert.deepStrictEqual(received.map(({ user }) => user), ["asha", "asha"])
    }))

  it.scoped("fails permanently on a rejected password, without leaking credentials", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer(withUsers)
      const wrong = mailerAt(port, { ...trusting, user: "asha@example.in", password: Redacted.make("wrong horse") })
      const failed = yield* Effect.flip(send()).pipe(Effect.provide(wrong))
      assert.deepInclude(failed, { permanent: true, reason: "The mail server refused the credentials (535 5.7.8)" })
      assert.strictEqual(received.length, 0)
    }))

  it.scoped("fails temporarily when the server cannot check the password", () =>
    Effect.gen(function*() {
      const onAuth: SMTPServerOptions["onAuth"] = (_auth, _session, done) => done(smtpReply(454, "4.7.0 later"))
      const { port } = yield* mailServer({ ...withUsers, onAuth })
      const mailer = mailerAt(port, { ...trusting, user: "asha", password: Redacted.make("any") })
      const failed = yield* Effect.flip(send()).pipe(Effect.provide(mailer))
      assert.deepInclude(failed, { permanent: false, reason: "The mail server refused the credentials (454 4.7.0)" })
    }))
})

describe("invalid options", () => {
  const urls: ReadonlyArray<readonly [problem: string, url: string]> = [
    ["a missing scheme", "mail.example.in"],
    ["an HTTP URL", "https://asha:secret@mail.example.in"],
    ["a missing host", "smtp://"],
    ["a query that would turn TLS off", "smtp://asha:secret@mail.example.in?tls.rejectUnauthorized=false"],
    ["a path", "smtp://asha:secret@mail.example.in/inbox"],
    ["a fragment", "smtp://asha:secret@mail.example.in#x"],
    ["a password that is not encoded", "smtp://asha:secret%zz@mail.example.in"]
  ]

  const buildError = (options: MailerSmtp.SmtpOptions) =>
    Effect.flip(Effect.scoped(Layer.build(MailerSmtp.layer(options))))

  for (const [problem, url] of urls) {
    it.effect(`are rejected for ${problem}, without leaking the URL`, () =>
      Effect.gen(function*() {
        const failed = yield* buildError({ url: Redacted.make(url), from })
        assert.strictEqual(failed._tag, "BadSmtpOptions")
        assert.notMatch(failed.message, /secret|asha|example/)
      }))
  }

  it.effect("are rejected for a sender or host that would break a header", () =>
    Effect.gen(function*() {
      const host = "mail.example.in"
      const optionList: ReadonlyArray<MailerSmtp.SmtpOptions> = [
        { host, from: { address: "reports" } },
        { host, from: { address: "a@b\r\nBcc: c@d" } },
        { host, from: { address: from.address, name: "Reports\r\nBcc: all@example.in" } },
        { host: "", from },
        { host: "mail\r\n.example.in", from }
      ]
      for (const options of optionList) assert.strictEqual((yield* buildError(options))._tag, "BadSmtpOptions")
    }))
})
