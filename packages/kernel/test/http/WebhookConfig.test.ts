import { assert, describe, it } from "@effect/vitest"
import { publicWebhookConfig, webAddressIssue, WebhookConfig } from "@trunkline/kernel"
import { Either, Schema } from "effect"
import { maxMetadataBytes } from "../../src/http/WebhookConfig.js"

const decode = Schema.decodeUnknownEither(WebhookConfig)
const isAccepted = (config: unknown) => Either.isRight(decode(config))
const url = "https://hooks.example/path?token=1"

describe("WebhookConfig", () => {
  it("requires a URL only", () => {
    assert.deepStrictEqual(Either.getOrThrow(decode({ url })), { url })
    assert.isFalse(isAccepted({}))
    assert.isTrue(isAccepted({ url, metadata: null, secret: "s" }))
  })

  it("accepts metadata of up to 4 KB of UTF-8, and only objects", () => {
    const overhead = JSON.stringify({ a: "" }).length
    assert.isTrue(isAccepted({ url, metadata: { a: "x".repeat(maxMetadataBytes - overhead) } }))
    assert.isFalse(isAccepted({ url, metadata: { a: "x".repeat(maxMetadataBytes - overhead + 1) } }))
    assert.isFalse(isAccepted({ url, metadata: { a: "अ".repeat(maxMetadataBytes / 2) } }))
    for (const metadata of [[1], "text", 1]) assert.isFalse(isAccepted({ url, metadata }))
  })

  it("accepts secrets of 1 to 512 characters", () => {
    assert.isTrue(isAccepted({ url, secret: "x".repeat(512) }))
    assert.isFalse(isAccepted({ url, secret: "x".repeat(513) }))
    assert.isFalse(isAccepted({ url, secret: "" }))
  })

  it("hides the secret in responses", () => {
    assert.deepStrictEqual(publicWebhookConfig({ url, secret: "s" }), { url, metadata: null })
    assert.deepStrictEqual(publicWebhookConfig({ url, metadata: { a: 1 } }), { url, metadata: { a: 1 } })
  })
})

const strict = { allowInsecureUrls: false }

describe("webAddressIssue", () => {
  it("accepts absolute https URLs", () => {
    for (const good of [url, "https://h.example", "HTTPS://h.example:8443/", "https://[2606:4700::1]/"]) {
      assert.isNull(webAddressIssue(good, strict), good)
    }
  })

  it("accepts http only if the host allows it", () => {
    assert.isNotNull(webAddressIssue("http://h.example/", strict))
    assert.isNull(webAddressIssue("http://h.example/", { allowInsecureUrls: true }))
    assert.isNotNull(webAddressIssue("ftp://h.example/", { allowInsecureUrls: true }))
  })

  it.each([
    "",
    "hooks.example/path",
    "/path",
    "//hooks.example/path",
    "https://",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://user@hooks.example/",
    "https://:pw@hooks.example/",
    `https://hooks.example/${"x".repeat(2048)}`
  ])("rejects '%s' without repeating it", (bad) => {
    const issue = webAddressIssue(bad, strict)
    assert.isNotNull(issue)
    assert.match(issue ?? "", /^Should /)
    assert.notInclude(issue ?? "", "example")
  })
})
