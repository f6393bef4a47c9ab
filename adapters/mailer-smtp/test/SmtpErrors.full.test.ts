import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import type { SMTPServerOptions } from "smtp-server"
import { mailServer, smtpReply } from "./MailServer.js"
import { mailerAt, sample, send } from "./Sample.js"
import { scriptedServer } from "./ScriptedServer.js"

/** Reply text that contains an address and a name. */
const about = "<asha@example.in> Asha Rao is no more"

interface Rejection {
  readonly says: string
  readonly options: SMTPServerOptions
  readonly permanent: boolean
  readonly reason: string
}

const rejections: ReadonlyArray<Rejection> = [
  {
    says: "rejects the recipient",
    options: { onRcptTo: (_address, _session, done) => done(smtpReply(550, `5.1.1 ${about}`)) },
    permanent: true,
    reason: "The mail server refused the recipient (550 5.1.1)"
  },
  {
    says: "defers the recipient",
    options: { onRcptTo: (_address, _session, done) => done(smtpReply(450, `4.2.0 ${about}`)) },
    permanent: false,
    reason: "The mail server refused the recipient (450 4.2.0)"
  },
  {
    says: "rejects the sender",
    options: { onMailFrom: (_address, _session, done) => done(smtpReply(553, about)) },
    permanent: true,
    reason: "The mail server refused the sender (553)"
  },
  {
    says: "rejects the mail",
    options: { onData: (stream, _session, done) => stream.on("end", () => done(smtpReply(554, about))).resume() },
    permanent: true,
    reason: "The mail server refused the mail (554)"
  },
  {
    says: "defers the mail",
    options: { onData: (stream, _session, done) => stream.on("end", () => done(smtpReply(451, about))).resume() },
    permanent: false,
    reason: "The mail server refused the mail (451)"
  },
  {
    says: "reports a bad sequence of commands",
    options: { onMailFrom: (_address, _session, done) => done(smtpReply(503, about)) },
    permanent: false,
    reason: "The mail server refused the sender (503)"
  },
  {
    says: "rejects every connection",
    options: { onConnect: (_session, done) => done(smtpReply(554, about)) },
    permanent: true,
    reason: "The mail server refused the connection (554)"
  },
  {
    says: "is shutting down",
    options: { onConnect: (_session, done) => done(smtpReply(421, about)) },
    permanent: false,
    reason: "The mail server refused the connection (421)"
  },
  {
    says: "reports that the mail is too large",
    options: {
      onData: (stream, _session, done) => stream.on("end", () => done(smtpReply(552, "5.3.4 too large"))).resume()
    },
    permanent: true,
    reason: "The mail server refused the mail (552 5.3.4)"
  }
]

const failing = (port: number, options: Parameters<typeof mailerAt>[1] = {}) =>
  Effect.flip(send()).pipe(Effect.provide(mailerAt(port, options)))

describe("a mail server", () => {
  for (const { options, permanent, reason, says } of rejections) {
    it.scoped(`that ${says} fails the mail ${permanent ? "permanently" : "temporarily"} and leaks no address`, () =>
      Effect.gen(function*() {
        const { port, received } = yield* mailServer(options)
        const failed = yield* failing(port)
        assert.deepInclude(failed, { permanent, reason })
        assert.strictEqual(received.length, 0)
      }))
  }

  it.scoped("that rejects one mail accepts the next one over the same connection", () =>
    Effect.gen(function*() {
      const { connections, port, received } = yield* mailServer({
        onRcptTo: ({ address }, _session, done) => done(address === "gone@example.in" ? smtpReply(550, about) : null)
      })
      yield* Effect.gen(function*() {
        yield* Effect.flip(send({ ...sample, to: "gone@example.in" }))
        yield* send()
      }).pipe(Effect.provide(mailerAt(port, { connections: 1 })))
      assert.strictEqual(received.length, 1)
      assert.strictEqual(connections(), 1)
    }))

  it.scoped("that is not running fails the mail temporarily", () =>
    Effect.gen(function*() {
      const { port } = yield* Effect.scoped(mailServer())
      const failed = yield* failing(port)
      assert.deepInclude(failed, { permanent: false, reason: "The mail server was not reached" })
    }))

  it.scoped("that requires a password which the mailer lacks fails the mail permanently", () =>
    Effect.gen(function*() {
      const { port } = yield* mailServer({ onAuth: (_auth, _session, done) => done(null, { user: "asha" }) })
      const failed = yield* failing(port, { user: "asha" })
      assert.deepInclude(failed, { permanent: true, reason: "The mail server does not take these credentials" })
    }))

  it.scoped("with an unknown host name fails the mail temporarily", () =>
    Effect.gen(function*() {
      const failed = yield* failing(25, { host: "nobody.invalid" })
      assert.isFalse(failed.permanent)
      assert.notInclude(failed.reason, "invalid")
    }))

  it.scoped("that hangs up before confirming fails the mail temporarily, without an automatic resend", () =>
    Effect.gen(function*() {
      const { port, sockets } = yield* scriptedServer({ mailed: (socket) => socket.destroy() })
      const failed = yield* failing(port)
      assert.isFalse(failed.permanent)
      assert.strictEqual(sockets.length, 1)
    }))

  it.scoped("that hangs up on connect fails the mail temporarily", () =>
    Effect.gen(function*() {
      const { port } = yield* scriptedServer({ opened: (socket) => socket.destroy() })
      assert.isFalse((yield* failing(port)).permanent)
    }))

  it.scoped("that hangs up after each mail still receives every mail", () =>
    Effect.gen(function*() {
      const { port, sockets } = yield* scriptedServer({ mailed: (socket) => socket.end("250 taken\r\n") })
      yield* Effect.replicateEffect(send(), 3).pipe(Effect.provide(mailerAt(port, { connections: 1 })))
      assert.isAtLeast(sockets.length, 3)
    }))

  it.scoped("that never sends a greeting fails the mail temporarily", () =>
    Effect.gen(function*() {
      const { port } = yield* scriptedServer({ opened: () => {} })
      const failed = yield* failing(port, { connectTimeout: 30 })
      assert.deepInclude(failed, { permanent: false, reason: "The mail server did not answer in time" })
    }))

  it.scoped("that stops responding fails the mail temporarily", () =>
    Effect.gen(function*() {
      const { port } = yield* scriptedServer({ mailed: () => {} })
      const failed = yield* failing(port, { silenceTimeout: 30 })
      assert.deepInclude(failed, { permanent: false, reason: "The mail server did not answer in time" })
    }))

  it.scoped("that never confirms a mail is disconnected after a minute", () =>
    Effect.gen(function*() {
      const [startSignal, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { port } = yield* scriptedServer({
        mailed: (socket) => {
          socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
          Deferred.unsafeDone(startSignal, Effect.void)
        }
      })
      const sending = yield* Effect.fork(failing(port))
      yield* Deferred.await(startSignal)
      yield* TestClock.adjust("59 seconds")
      assert.isNull(sending.unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Fiber.join(sending), { permanent: false, reason: "The mail server took too long" })
      yield* Deferred.await(closed)
    }))
})

describe("a mailer", () => {
  it.scoped("closes the connection of an interrupted mail", () =>
    Effect.gen(function*() {
      const [startSignal, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { port } = yield* scriptedServer({
        mailed: (socket) => {
          socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
          Deferred.unsafeDone(startSignal, Effect.void)
        }
      })
      yield* Effect.gen(function*() {
        const sending = yield* Effect.fork(send())
        yield* Deferred.await(startSignal)
        yield* Fiber.interrupt(sending)
        yield* Deferred.await(closed)
      }).pipe(Effect.provide(mailerAt(port)))
    }))

  it.scoped("closes all connections with its scope", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const { port } = yield* scriptedServer({
        opened: (socket) => {
          socket.on("close", () => Deferred.unsafeDone(closed, Effect.void)).write("220 ready\r\n")
        }
      })
      yield* Effect.provide(send(), mailerAt(port))
      yield* Deferred.await(closed)
    }))
})
