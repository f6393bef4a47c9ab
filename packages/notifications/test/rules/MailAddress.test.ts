import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { isMailAddress } from "@trunkline/notifications"
import { FastCheck as fc, Schema } from "effect"
import { MailAddress, MailRecipients } from "../../src/rules/NotificationRule.js"

const isAddress = Schema.is(MailAddress)
const areRecipients = Schema.is(MailRecipients)

const label = "a".repeat(63)

describe("MailAddress", () => {
  const good = [
    "asha@example.in",
    "a.b-c+tag@mail.example.co.in",
    "o'neil@example.com",
    "आशा@उदाहरण.भारत",
    "x@xn--p1b6ci4b4b3a.in",
    `${"l".repeat(64)}@example.in`,
    `a@${label}.${label}.${label}.example.in`
  ]
  for (const text of good) it(`accepts ${text.slice(0, 40)}`, () => assert.isTrue(isAddress(text)))

  const bad = [
    "",
    "asha",
    "@example.in",
    "asha@",
    "asha@example",
    "asha@@example.in",
    "asha@example..in",
    "asha@-example.in",
    "asha@example-.in",
    ".asha@example.in",
    "asha.@example.in",
    "a..b@example.in",
    "Asha <asha@example.in>",
    "\"asha\"@example.in",
    "asha@[127.0.0.1]",
    "asha@example.in, ravi@example.in",
    "asha@example.in ",
    " asha@example.in",
    "asha@example.in\r\nBcc: all@example.in",
    "asha@example.in\n",
    "as\u0000ha@example.in",
    "asha\u0085@example.in",
    "asha\u200b@example.in",
    "asha\u202e@example.in",
    `${"l".repeat(65)}@example.in`,
    `a@${label}a.in`,
    `a@${[label, label, label, label].join(".")}.in`
  ]
  for (const text of bad) it(`rejects ${JSON.stringify(text).slice(0, 50)}`, () => assert.isFalse(isAddress(text)))

  it("accepts nothing that the mailer rejects, and no control characters", () => {
    const characters = fc.constantFrom(
      "a",
      "é",
      ".",
      "@",
      "-",
      "+",
      "\r",
      "\n",
      "\t",
      " ",
      ",",
      "<",
      "\"",
      "\u0000",
      "in"
    )
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 12 }), (parts) => {
        const text = parts.join("")
        if (isAddress(text)) assert.isTrue(isMailAddress(text) && !/[\s\p{C}]/u.test(text), JSON.stringify(text))
      }),
      { numRuns: propertyRuns(20_000), seed: 3 }
    )
  })

  it("allows at most fifty recipients, without case-insensitive duplicates", () => {
    const addresses = Array.from({ length: 51 }, (_, index) => `person-${index}@example.in`)
    assert.isTrue(areRecipients(addresses.slice(0, 50)))
    assert.isFalse(areRecipients(addresses))
    assert.isFalse(areRecipients(["asha@example.in", "Asha@Example.IN"]))
    assert.isTrue(areRecipients([]))
  })
})
