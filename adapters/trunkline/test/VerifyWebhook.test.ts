import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { OutboundCallPayload, webhookBody, webhookHeaders } from "@trunkline/webhooks"
import { Effect, FastCheck, Schema } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { afterEach, beforeEach, vi } from "vitest"
import { verifyWebhook, type WebhookBody, WebhookRejected } from "../src/index.js"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const now = 1_767_225_600
const text = JSON.stringify({ attempt_id: "a", status: "no_answer" })
const utf8 = (value: string) => new TextEncoder().encode(value)

/** Headers as the engine sends them. */
const signed = (secrets: ReadonlyArray<string>, body: string | Uint8Array = text, timestamp = now) =>
  Effect.runSync(
    webhookHeaders(secrets, { id: "att_1", timestamp, body: typeof body === "string" ? utf8(body) : body })
  )

const reasonOf = (run: () => WebhookBody): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof WebhookRejected) return error.reason
    throw error
  }
  return "accepted"
}

describe("verifyWebhook", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: now * 1_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("returns the body of a webhook that the engine has signed, as text or bytes", () => {
    const expected = { attempt_id: "a", status: "no_answer" }
    assert.deepStrictEqual<unknown>(verifyWebhook(text, signed([secret]), secret), expected)
    assert.deepStrictEqual<unknown>(verifyWebhook(utf8(text), signed([secret]), secret), expected)
    assert.deepStrictEqual<unknown>(verifyWebhook(Buffer.from(text), signed([secret]), secret), expected)
  })

  it("reads Headers, the headers of Node.js and plain objects in any case", () => {
    const headers = signed([secret])
    const ofNode: IncomingHttpHeaders = { ...headers, host: "example.com", "set-cookie": ["a", "b"] }
    const inCapitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    const inLists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    for (const given of [headers, new Headers(headers), ofNode, inCapitals, inLists]) {
      assert.strictEqual(reasonOf(() => verifyWebhook(text, given, secret)), "accepted")
    }
  })

  it("accepts any of several secrets on either side, so that a secret can be rotated", () => {
    const rotating = signed(["new", "old"])
    for (const known of ["new", "old", ["other", "old"]]) {
      assert.strictEqual(reasonOf(() => verifyWebhook(text, rotating, known)), "accepted")
    }
    assert.strictEqual(reasonOf(() => verifyWebhook(text, signed(["old"]), ["new", "old"])), "accepted")
    assert.strictEqual(reasonOf(() => verifyWebhook(text, rotating, ["other"])), "wrong_signature")
  })

  it("rejects with the reason", () => {
    const headers = signed([secret])
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      const others = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))
      assert.strictEqual(reasonOf(() => verifyWebhook(text, others, secret)), "missing_header")
      assert.throws(() => verifyWebhook(text, others, secret), WebhookRejected, name)
    }
    const changed = [
      { ...headers, "webhook-id": "att_2" },
      { ...headers, "webhook-timestamp": String(now + 1) },
      { ...headers, "webhook-signature": "v1," },
      { ...headers, "webhook-signature": headers["webhook-signature"]?.replace("v1,", "v2,") ?? "" }
    ]
    for (const given of changed) {
      assert.strictEqual(reasonOf(() => verifyWebhook(text, given, secret)), "wrong_signature")
    }
    assert.strictEqual(reasonOf(() => verifyWebhook(`${text} `, headers, secret)), "wrong_signature")
    for (const body of ["not JSON", "[]", "null", "1", Uint8Array.of(0x22, 0xff, 0x22)]) {
      assert.strictEqual(reasonOf(() => verifyWebhook(body, signed([secret], body), secret)), "invalid_json")
    }
  })

  it("rejects timestamps of more than 5 minutes ago or ahead, and texts that are not timestamps", () => {
    for (const at of [now - 300, now, now + 300]) {
      assert.strictEqual(reasonOf(() => verifyWebhook(text, signed([secret], text, at), secret)), "accepted")
    }
    for (const at of [now - 301, now + 301]) {
      assert.strictEqual(reasonOf(() => verifyWebhook(text, signed([secret], text, at), secret)), "stale_timestamp")
    }
    for (const at of ["soon", "", `${now}.5`, "0x1"]) {
      const given = { ...signed([secret]), "webhook-timestamp": at }
      assert.include(["stale_timestamp", "missing_header"], reasonOf(() => verifyWebhook(text, given, secret)))
    }
  })

  it("throws a TypeError for the mistakes of its caller", () => {
    const headers = signed([secret])
    const wrong: ReadonlyArray<readonly [unknown, unknown, RegExp]> = [
      [text, undefined, /secret/],
      [text, "", /secret/],
      [text, [], /secret/],
      [text, [secret, ""], /secret/],
      [JSON.parse(text), secret, /as it was received/]
    ]
    for (const [body, given, message] of wrong) {
      assert.throws(() => Reflect.apply(verifyWebhook, undefined, [body, headers, given]), TypeError, message)
    }
  })

  it("takes every secret for the same key as the engine", () => {
    const secrets = FastCheck.oneof(
      FastCheck.string({ minLength: 1, unit: "binary" }),
      FastCheck.base64String().map((key) => `whsec_${key}`),
      FastCheck.string().map((key) => `whsec_${key}`)
    )
    FastCheck.assert(
      FastCheck.property(secrets, FastCheck.json(), (any, value) => {
        const body = `{"value":${value}}`
        assert.strictEqual(reasonOf(() => verifyWebhook(body, signed([any], body), any)), "accepted")
      }),
      { numRuns: propertyRuns(200) }
    )
  })

  it("knows the bodies that the engine sends by their fields", () => {
    const body = webhookBody(
      Schema.decodeSync(OutboundCallPayload)({
        attempt_id: "01900000-0000-7000-8000-000000000000",
        status: "connected",
        channel_info: { channel_type: "v2v", channel_provider: "simulator", agent_phone_number: "+911140000001" },
        duration: 3,
        interaction_id: null,
        failure_reason: null,
        opt_out: null,
        answer: null,
        final_agent_variables: null,
        webhook_config: null,
        summary: null,
        output_variables: null,
        extraction: null,
        interaction_transcript: null,
        costs: null
      })
    )
    const verified = verifyWebhook(body, signed([secret], body), secret)
    assert.strictEqual("channel_info" in verified ? verified.channel_info.channel_provider : null, "simulator")
  })
})
