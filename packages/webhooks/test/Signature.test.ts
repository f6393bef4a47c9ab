import { assert, describe, it } from "@effect/vitest"
import { sign, type SignedMessage, verify, webhookHeaders } from "@trunkline/webhooks"
import { Effect, FastCheck } from "effect"
import { createHmac } from "node:crypto"

const text = (value: string) => new TextEncoder().encode(value)
const message = { id: "att_1", timestamp: 1_700_000_000, body: text("{\"a\":1}") }
const now = message.timestamp * 1000

const byNode = (key: Buffer, { body, id, timestamp }: SignedMessage) =>
  `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`

describe("Signature", () => {
  it.effect("signs like Standard Webhooks", () =>
    Effect.gen(function*() {
      const signature = yield* sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp: 1614265330,
        body: text("{\"test\": 2432232314}")
      })
      assert.strictEqual(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }))

  it.effect.prop(
    "agrees with Node's HMAC for any secret and body, and verifies",
    [FastCheck.uint8Array({ minLength: 1 }), FastCheck.uint8Array(), FastCheck.boolean()],
    ([bytes, body, isText]) =>
      Effect.gen(function*() {
        const key = Buffer.from(bytes)
        const secret = isText ? key.toString("hex") : `whsec_${key.toString("base64")}`
        const content = { ...message, body }
        const expected = byNode(isText ? Buffer.from(secret) : key, content)
        const headers = yield* webhookHeaders([secret], content)
        assert.deepStrictEqual(headers, {
          "webhook-id": "att_1",
          "webhook-timestamp": "1700000000",
          "webhook-signature": expected
        })
        assert.isTrue(yield* verify(secret, { headers, body, now }))
      })
  )

  it.effect("treats a secret that is not valid base64 as text", () =>
    Effect.gen(function*() {
      for (const secret of ["whsec_", "whsec_no base64!", "पासवर्ड"]) {
        assert.strictEqual(yield* sign(secret, message), byNode(Buffer.from(secret), message))
      }
    }))

  it.effect("does not sign without a secret", () =>
    Effect.gen(function*() {
      assert.hasAllKeys(yield* webhookHeaders([], message), ["webhook-id", "webhook-timestamp"])
    }))

  it.effect("rejects changed, stale and incomplete requests, and other secrets", () =>
    Effect.gen(function*() {
      const { body } = message
      const headers = yield* webhookHeaders(["secret"], message)
      const refused = [
        verify("other", { headers, body, now }),
        verify("secret", { headers, body: text("{\"a\":2}"), now }),
        verify("secret", { headers: { ...headers, "webhook-id": "att_2" }, body, now }),
        verify("secret", { headers: { ...headers, "webhook-timestamp": "1700000001" }, body, now }),
        verify("secret", { headers: { ...headers, "webhook-timestamp": "soon" }, body, now }),
        verify("secret", { headers: { ...headers, "webhook-signature": "v1," }, body, now }),
        verify("secret", { headers: { ...headers, "webhook-signature": undefined }, body, now }),
        verify("secret", { headers, body, now: now + 301_000 }),
        verify("secret", { headers, body, now: now - 301_000 })
      ]
      assert.deepStrictEqual(yield* Effect.all(refused), refused.map(() => false))
    }))

  it.effect("accepts requests within 5 minutes, and one matching signature of several", () =>
    Effect.gen(function*() {
      const { body } = message
      const headers = yield* webhookHeaders(["secret"], message)
      const several = { ...headers, "webhook-signature": `v1,b2xk v1a,eA== ${headers["webhook-signature"]}` }
      assert.isTrue(yield* verify("secret", { headers: several, body, now: now + 299_000 }))
      assert.isTrue(yield* verify("secret", { headers, body, now: now - 299_000 }))
    }))
})
