import { assert, describe, it } from "@effect/vitest"
import { SentMail } from "@trunkline/notifications"
import { mailerLaws } from "@trunkline/notifications/testing"
import { Effect, Layer } from "effect"
import { asSent, mailServer } from "./MailServer.js"
import { from, mailerAt, sample, send } from "./Sample.js"

mailerLaws(
  "SMTP",
  Layer.unwrapScoped(
    Effect.map(mailServer(), ({ port, received }) =>
      Layer.merge(
        mailerAt(port),
        Layer.succeed(SentMail, { mails: Effect.sync(() => received.map(asSent)) })
      ))
  )
)

const headerOf = (raw: string) => raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]/g, " ")

describe("a mail over SMTP", () => {
  it.scoped("nests its parts as mail clients expect: mixed(alternative(text, related(HTML, image)), file)", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer()
      yield* Effect.provide(send(), mailerAt(port))
      const raw = received[0]?.raw ?? ""
      const types = [...raw.matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)
      assert.deepStrictEqual(types, [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/csv"
      ])
      assert.match(raw, /^Content-Type: text\/csv; charset=utf-8/m)
      assert.match(raw, /^Content-Disposition: inline; filename=calls.png/m)
      assert.match(raw, /^Content-Disposition: attachment; filename=calls.csv/m)
      assert.match(raw, /^Content-Id: <chart-1@trunkline>/im)
    }))

  it.scoped("names its sender, is marked as auto-generated and has one recipient", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer()
      yield* Effect.provide(send(), mailerAt(port))
      assert.deepInclude(received[0]?.mail.from, from)
      assert.strictEqual(received[0]?.from, from.address)
      const header = headerOf(received[0]?.raw ?? "")
      assert.match(header, /^Auto-Submitted: auto-generated$/m)
      assert.match(header, /^Message-ID: <run-1\.0@reports\.example\.in>$/m)
      assert.match(header, /^To: asha@example\.in$/m)
      assert.notMatch(header, /^(?:Bcc|Cc):/im)
      assert.match(header, /^[\x20-\x7e\r\n]+$/)
    }))

  it.scoped("is one message per recipient, sent over at most three connections", () =>
    Effect.gen(function*() {
      const { connections, port, received } = yield* mailServer()
      const addresses = Array.from({ length: 20 }, (_, index) => `person-${index}@example.in`)
      yield* Effect.forEach(addresses, (to) => send({ ...sample, to }), { concurrency: "unbounded", discard: true })
        .pipe(
          Effect.provide(mailerAt(port))
        )
      assert.deepStrictEqual(received.flatMap(({ recipients }) => recipients).toSorted(), addresses.toSorted())
      for (const { raw, recipients: [to] } of received) {
        assert.deepStrictEqual(raw.match(/person-\d+@example\.in/g), [to])
      }
      assert.isAtMost(connections(), 3)
    }))

  it.scoped("never reads files or fetches URLs that it mentions", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer()
      const html =
        "<img src=\"/etc/hostname\"><img src=\"http://127.0.0.1:1/a.png\"><img src=\"data:image/png;base64,AAAA\">"
      yield* Effect.provide(send({ ...sample, html, attachments: [] }), mailerAt(port))
      assert.deepStrictEqual(received.map(asSent), [{ ...sample, html, attachments: [] }])
    }))

  it.scoped("escapes a sender name that contains header syntax", () =>
    Effect.gen(function*() {
      const { port, received } = yield* mailServer()
      const name = "Reports\" <all@example.in>, \"x"
      yield* Effect.provide(send(), mailerAt(port, { from: { ...from, name } }))
      assert.deepInclude(received[0]?.mail.from, { address: from.address, name })
      assert.strictEqual(received[0]?.mail.headers.filter(({ key }) => key === "from").length, 1)
    }))
})
