import { assert, describe, it } from "@effect/vitest"
import { verifyWebhook, WebhookRejected } from "@trunkline/client"
import { Webhook } from "standardwebhooks"

const secret = `whsec_${Buffer.from("a key of some 24 bytes..").toString("base64")}`

const signed = (body: string, { at = new Date(), key = secret } = {}) => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
  "webhook-signature": new Webhook(key).sign("msg_1", at, body)
})

const rejection = async (work: Promise<unknown>) => {
  const error = await work.then(() => assert.fail("It was accepted"), (error: unknown) => error)
  assert.instanceOf(error, WebhookRejected)
  return error.reason
}

const body = JSON.stringify({ campaign_id: "camp-1" })

describe("verifyWebhook", () => {
  it("resolves with the body of a webhook that the holder of a secret has sent", async () => {
    const headers = signed(body)
    assert.deepStrictEqual<unknown>(await verifyWebhook(body, headers, secret), { campaign_id: "camp-1" })
    const bytes = new TextEncoder().encode(body)
    assert.deepStrictEqual<unknown>(await verifyWebhook(bytes, new Headers(headers), ["whsec_b2xk", secret]), {
      campaign_id: "camp-1"
    })
    const several = {
      ...headers,
      "Webhook-Signature": `v2,abc ${headers["webhook-signature"]}`,
      "webhook-signature": undefined
    }
    assert.strictEqual(await rejection(verifyWebhook(body, several, secret)), "missing_header")
  })

  it("says why it rejects one", async () => {
    const { "webhook-id": _, ...without } = signed(body)
    assert.strictEqual(await rejection(verifyWebhook(body, without, secret)), "missing_header")
    assert.strictEqual(
      await rejection(verifyWebhook(body, signed(body, { at: new Date(0) }), secret)),
      "stale_timestamp"
    )
    assert.strictEqual(await rejection(verifyWebhook(`${body} `, signed(body), secret)), "wrong_signature")
    assert.strictEqual(await rejection(verifyWebhook(body, signed(body), "another")), "wrong_signature")
    const forged = { ...signed(body), "webhook-signature": "v1,!!! v1, v2,AAAA" }
    assert.strictEqual(await rejection(verifyWebhook(body, forged, secret)), "wrong_signature")
    assert.strictEqual(await rejection(verifyWebhook("[1]", signed("[1]"), secret)), "invalid_json")
  })

  it("refuses a body that was parsed, and no secret", async () => {
    const parsed = await verifyWebhook(JSON.parse(body), signed(body), secret).catch((error: unknown) => error)
    assert.instanceOf(parsed, TypeError)
    const none = await verifyWebhook(body, signed(body), "").catch((error: unknown) => error)
    assert.instanceOf(none, TypeError)
  })
})
