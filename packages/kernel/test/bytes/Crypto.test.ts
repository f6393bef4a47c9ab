import { assert, describe, it } from "@effect/vitest"
import { constantTimeEqual, hmacSha256, sha256Hex } from "@trunkline/kernel"
import { Effect, Encoding } from "effect"

describe("digests", () => {
  it.effect("SHA-256 matches the digests of FIPS 180-4, for text and bytes", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
      const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      assert.strictEqual(yield* sha256Hex("abc"), abc)
      assert.strictEqual(yield* sha256Hex(Uint8Array.of(0x61, 0x62, 0x63)), abc)
    }))

  it.effect("HMAC-SHA256 matches the digests of RFC 4231, for text and bytes", () =>
    Effect.gen(function*() {
      const hex = (key: Uint8Array | string, data: string) => Effect.map(hmacSha256(key, data), Encoding.encodeHex)
      assert.strictEqual(
        yield* hex(new Uint8Array(20).fill(0x0b), "Hi There"),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      )
      assert.strictEqual(
        yield* hex("Jefe", "what do ya want for nothing?"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      )
    }))
})

describe("constantTimeEqual", () => {
  it("compares bytes and text", () => {
    assert.isTrue(constantTimeEqual("", ""))
    assert.isTrue(constantTimeEqual("sécret", new TextEncoder().encode("sécret")))
    assert.isFalse(constantTimeEqual("secret", "secreT"))
    assert.isFalse(constantTimeEqual("secret", "secrets"))
    assert.isFalse(constantTimeEqual(Uint8Array.of(0), ""))
  })
})
