import { assert, describe, it } from "@effect/vitest"
import { isMailAddress, type Mail, Mailer, MailError } from "@trunkline/notifications"
import { mailerLaws } from "@trunkline/notifications/testing"
import { Effect } from "effect"

mailerLaws("memory", Mailer.layerMemory)

const mail: Mail = {
  to: "asha@example.in",
  message_id: "<a@b>",
  subject: "Calls",
  text: "",
  html: "",
  attachments: []
}

const send = (mail: Mail) => Effect.flatMap(Mailer, (mailer) => mailer.send(mail))

describe("Mailer", () => {
  it.effect("fails every mail permanently without a mail server", () =>
    Effect.gen(function*() {
      const failed = yield* Effect.flip(send(mail))
      assert.deepInclude(failed, { permanent: true, reason: "No mail server is set up" })
    }).pipe(Effect.provide(Mailer.layerNone)))

  it.effect("passes valid mails to the given function, and no invalid ones", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* Effect.flip(send(mail)), { permanent: false, reason: "busy" })
      assert.deepInclude(yield* Effect.flip(send({ ...mail, to: "nobody" })), { permanent: true })
    }).pipe(Effect.provide(Mailer.layerOf(() => new MailError({ permanent: false, reason: "busy" })))))
})

describe("isMailAddress", () => {
  it("accepts one address in any script", () => {
    for (
      const address of ["a@b", "asha.rao+reports@example.co.in", "आशा@उदाहरण.भारत", `${"a".repeat(64)}@example.in`]
    ) {
      assert.isTrue(isMailAddress(address), address)
    }
  })

  it("rejects everything else", () => {
    const others = [
      "",
      "asha",
      "@",
      "a@",
      "@b",
      "a@b@c",
      "a b@c",
      "a@b,c@d",
      "a@b;c@d",
      "<a@b>",
      "\"a\"@b",
      "a@b\n",
      "a\u0085@b"
    ]
    for (const other of [...others, `${"a".repeat(250)}@b.in`]) assert.isFalse(isMailAddress(other), other)
  })
})
