import { assert, describe, it } from "@effect/vitest"
import type { CallAnswer } from "@trunkline/kernel"
import { afterMessage, AnswerHandling, summarizeOutcome } from "@trunkline/telephony"
import { Schema } from "effect"
import { noRetries, RetryConfig } from "../../src/campaign/RetryPolicy.js"
import { nextAction } from "../../src/retry/RetryTable.js"
import { now, talked } from "./PolicyFixtures.js"

const answered = (action: CallAnswer["action"], answered_by: CallAnswer["answered_by"] = "machine") =>
  talked(8, { answer: { answered_by, action, evidence: "words", decided_ms: 1_400, words: null } })

const policyOf = (retry_on: object) => Schema.decodeUnknownSync(RetryConfig)({ retry_on })
const again = policyOf({ machine: { enabled: true } })

const next = (outcome: ReturnType<typeof talked>, policy: RetryConfig, counters = noRetries) =>
  nextAction({ outcome, policy, counters, now })

describe("a call that a machine answered", () => {
  it("is retried where the policy says so, and only then", () => {
    assert.strictEqual(next(answered("hung_up"), again)?.status, "retry")
    assert.isNull(next(answered("hung_up"), policyOf({})))
  })

  it("is none that was too short", () => {
    assert.isNull(next(answered("hung_up"), policyOf({ short_duration: { enabled: true } })))
  })

  it("is a conversation like any other where the agent went on", () => {
    assert.isNull(next(answered("none"), again))
  })

  it("counts the messages that were left", () => {
    assert.deepStrictEqual(next(answered("message_left"), again)?.counters, { ...noRetries, main: 1, messages: 1 })
    assert.deepStrictEqual(next(answered("hung_up"), again)?.counters, { ...noRetries, main: 1 })
  })

  it("has the kind of what answered as its reason", () => {
    const reasonOf = (outcome: ReturnType<typeof talked>) => summarizeOutcome(outcome, null).failure_reason
    assert.strictEqual(reasonOf(answered("hung_up")), "voicemail")
    assert.strictEqual(reasonOf(answered("hung_up", "screening")), "call_screening")
    assert.strictEqual(reasonOf(answered("hung_up", "fax")), "fax")
    assert.isNull(reasonOf(answered("none", "person")))
  })
})

describe("the handling of a contact that has a message", () => {
  const handling = (machine: object) => Schema.decodeUnknownSync(AnswerHandling)({ machine })

  it("hangs up on later machines, unless it is told to leave more", () => {
    const once = handling({ action: "leave_message", message: "Call us." })
    assert.strictEqual(afterMessage(once).machine.action, "hang_up")
    const often = handling({ action: "leave_message", message: "Call us.", once: false })
    assert.strictEqual(afterMessage(often).machine.action, "leave_message")
  })

  it("needs a text for a message, and takes none otherwise", () => {
    assert.throws(() => handling({ action: "leave_message" }), /needs the text to leave/)
    assert.throws(() => handling({ action: "hang_up", message: "Call us." }), /leave_message only/)
  })
})
