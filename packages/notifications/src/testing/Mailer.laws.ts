import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type Mail, Mailer, SentMail } from "../mail/Mailer.js"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A mail with every feature. */
const sample: Mail = {
  to: "asha@example.in",
  message_id: "<rep-1a2b3c4d5e6f.0@reports.example.in>",
  subject: "[दैनिक] Calls per day, 2026-07-01 09:00 IST — बंगलौर और मुंबई की सभी कॉलें, हर घंटे के हिसाब से",
  text: "नमस्ते, 12,34,567 calls\n. a line with one dot follows\n.\nEnd",
  html: "<p>नमस्ते <img src=\"cid:chart@trunkline\" alt=\"chart\"></p>",
  attachments: [
    {
      filename: "chart.png",
      content: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255]),
      contentType: "image/png",
      cid: "chart@trunkline"
    },
    {
      filename: "हर दिन.csv",
      content: bytesOf("\ufeffday,calls\r\nसोमवार,12\r\n"),
      contentType: "text/csv; charset=utf-8"
    }
  ]
}

/** Mails that would inject headers or recipients. */
const invalidMails: ReadonlyArray<readonly [problem: string, change: Partial<Mail>]> = [
  ["a line break in the address", { to: "asha@example.in\r\nBcc: all@example.in" }],
  ["a line feed in the address", { to: "asha@example.in\nall@example.in" }],
  ["two addresses", { to: "asha@example.in, ravi@example.in" }],
  ["a name around the address", { to: "Asha <asha@example.in>" }],
  ["no address", { to: "" }],
  ["an address with a space", { to: "asha@example.in SIZE=1" }],
  ["a line break in the subject", { subject: "Calls\r\nBcc: all@example.in" }],
  ["a carriage return in the subject", { subject: "Calls\rBcc: all@example.in" }],
  ["a line separator in the subject", { subject: "Calls\u2028Bcc: all@example.in" }],
  ["a line break in the message id", { message_id: "<a@b>\r\nBcc: all@example.in" }],
  ["a message id without brackets", { message_id: "a@b" }],
  ...(["filename", "contentType", "cid"] as const).map((field) =>
    [`a line break in the ${field} of a file`, {
      attachments: [{
        filename: "a.csv",
        content: new Uint8Array(0),
        contentType: "text/csv",
        [field]: "a/b\r\nBcc: all@example.in"
      }]
    }] as const
  )
]

const sentMails = Effect.flatMap(SentMail, ({ mails }) => mails)

const send = (mail: Mail) => Effect.flatMap(Mailer, (mailer) => mailer.send(mail))

/** Normalizes a mail for comparison; media type parameters may be lost in transit. */
const comparable = (mail: Mail) => ({
  ...mail,
  attachments: mail.attachments.map(({ content, contentType, ...file }) => ({
    ...file,
    content: Array.from(content),
    contentType: contentType.split(";")[0]
  }))
})

/** Laws of `Mailer`. `SentMail` must list the mails that arrived. */
export const mailerLaws = <E>(name: string, live: Layer.Layer<Mailer | SentMail, E>) =>
  layer(live)(`Mailer laws: ${name}`, (it) => {
    it.effect("delivers a mail once with every character and byte", () =>
      Effect.gen(function*() {
        const before = (yield* sentMails).length
        yield* send(sample)
        assert.deepStrictEqual((yield* sentMails).slice(before).map(comparable), [comparable(sample)])
      }))

    it.effect("delivers a mail without attachments", () =>
      Effect.gen(function*() {
        const mail: Mail = { ...sample, subject: "", attachments: [] }
        const before = (yield* sentMails).length
        yield* send(mail)
        assert.deepStrictEqual((yield* sentMails).slice(before), [mail])
      }))

    it.effect("delivers each mail to its own recipient only", () =>
      Effect.gen(function*() {
        const addresses = Array.from({ length: 12 }, (_, index) => `person-${index}@example.in`)
        const before = (yield* sentMails).length
        yield* Effect.forEach(addresses, (to) => send({ ...sample, to }), { concurrency: "unbounded" })
        const arrivals = (yield* sentMails).slice(before)
        assert.deepStrictEqual(arrivals.map(({ to }) => to).toSorted(), addresses.toSorted())
        assert.isTrue(arrivals.every((mail) => !JSON.stringify({ ...mail, to: "" }).includes("person-")))
      }))

    it.effect("keeps the Message-ID when a mail is sent again", () =>
      Effect.gen(function*() {
        const before = (yield* sentMails).length
        yield* send(sample)
        yield* send(sample)
        const ids = (yield* sentMails).slice(before).map((mail) => mail.message_id)
        assert.deepStrictEqual(ids, [sample.message_id, sample.message_id])
      }))

    for (const [problem, change] of invalidMails) {
      it.effect(`permanently rejects ${problem} without leaking or sending it`, () =>
        Effect.gen(function*() {
          const before = (yield* sentMails).length
          const failure = yield* Effect.flip(send({ ...sample, ...change }))
          assert.isTrue(failure.permanent)
          assert.notMatch(`${failure.reason} ${failure.message}`, /example|Bcc|[\r\n]/)
          assert.strictEqual((yield* sentMails).length, before)
        }))
    }
  })
