import { assert, describe, it } from "@effect/vitest"
import { answerOffer, makeOffer } from "@trunkline/sip"
import { Either } from "effect"
import { makeCallCrypto, srtpOf } from "../../src/calls/CallCrypto.js"
import { makeEncryption } from "../../src/media/Encryption.js"
import type { SrtpKey } from "../../src/srtp/SrtpKey.js"

const key = (seed: number): SrtpKey => ({
  suite: "AES_CM_128_HMAC_SHA1_80",
  master: Uint8Array.from({ length: 30 }, (_, index) => index * 7 + seed)
})

/** A packet of mu-law with a sequence number. */
const packet = (sequence: number): Uint8Array =>
  Uint8Array.of(
    0x80,
    0,
    sequence >> 8,
    sequence & 0xFF,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    2,
    ...Array.from({ length: 160 }, () => sequence & 0x7F)
  )

/** A sealed packet in bytes of its own. */
const sealed = (encryption: ReturnType<typeof makeEncryption>, sequence: number): Uint8Array => {
  const bytes = encryption.seal(packet(sequence))
  if (bytes === null) throw new Error("The packet cannot be sealed")
  return bytes.slice()
}

const pair = () => {
  const [left, right] = [makeEncryption(), makeEncryption()]
  left.use({ sent: key(1), received: key(2) })
  right.use({ sent: key(2), received: key(1) })
  return { left, right }
}

describe("the encryption of a call", () => {
  it("lets packets pass as they are without keys", () => {
    const plain = makeEncryption()
    assert.deepStrictEqual(plain.seal(packet(1)), packet(1))
    assert.deepStrictEqual(plain.open(packet(1)), packet(1))
  })

  it("hides the sound, and is undone by the other side", () => {
    const { left, right } = pair()
    for (const sequence of [1, 2, 3, 4, 5, 6]) {
      const bytes = sealed(left, sequence)
      assert.notDeepEqual(bytes.subarray(12, 172), packet(sequence).subarray(12))
      assert.deepStrictEqual(right.open(bytes), packet(sequence))
    }
  })

  it("takes no packet that is plain, changed, repeated or of another key", () => {
    const { left, right } = pair()
    const bytes = sealed(left, 1)
    assert.isNull(right.open(packet(1)))
    assert.isNull(right.open(bytes.map((byte, index) => index === 20 ? byte ^ 1 : byte)))
    assert.isNotNull(right.open(bytes.slice()))
    assert.isNull(right.open(bytes.slice()))
    const stranger = makeEncryption()
    stranger.use({ sent: key(3), received: key(2) })
    assert.isNull(right.open(sealed(stranger, 2)))
  })

  it("goes on with its state where a key stays, and begins anew where it changes", () => {
    const { left, right } = pair()
    const first = sealed(left, 1)
    left.use({ sent: key(1), received: key(2) })
    right.use({ sent: key(2), received: key(1) })
    assert.isNotNull(right.open(first.slice()))
    assert.isNull(right.open(first.slice()))
    assert.isNull(left.seal(packet(1)))
    left.use({ sent: key(5), received: key(2) })
    right.use({ sent: key(2), received: key(5) })
    assert.deepStrictEqual(right.open(sealed(left, 1)), packet(1))
  })
})

describe("the keys of a call", () => {
  const local = (crypto: NonNullable<ReturnType<typeof makeCallCrypto>>) => ({
    sessionId: 1,
    address: "127.0.0.1",
    port: 4_000,
    crypto
  })
  const encryptionFor = (mode: "required" | "preferred") => {
    const crypto = makeCallCrypto(mode)
    if (crypto === undefined) throw new Error("There is no encryption")
    return crypto
  }
  const answerTo = (offer: string, crypto: ReturnType<typeof encryptionFor>) =>
    Either.getOrThrow(answerOffer(new TextEncoder().encode(offer), local(crypto), null)).negotiated

  it("stay the same when the other side offers its own again, and change with those", () => {
    const [caller, other, callee] = [encryptionFor("required"), encryptionFor("required"), encryptionFor("preferred")]
    const offer = makeOffer(local(caller), null).text
    const [first, again] = [answerTo(offer, callee), answerTo(offer, callee)]
    assert.deepStrictEqual(srtpOf(again), srtpOf(first))
    const changed = answerTo(makeOffer(local(other), null).text, callee)
    assert.notDeepEqual(srtpOf(changed)?.received, srtpOf(first)?.received)
    assert.notDeepEqual(srtpOf(changed)?.sent, srtpOf(first)?.sent)
  })

  it("are needed for the rest of a call that was encrypted once", () => {
    const callee = encryptionFor("preferred")
    assert.isFalse(callee.required)
    answerTo(makeOffer(local(encryptionFor("required")), null).text, callee)
    assert.isTrue(callee.required)
    const { crypto: _, ...plain } = local(callee)
    const refused = answerOffer(new TextEncoder().encode(makeOffer(plain, null).text), local(callee), null)
    assert.isTrue(Either.isLeft(refused))
  })

  it("are none where encryption is off", () => {
    assert.isUndefined(makeCallCrypto("off"))
    assert.isNull(srtpOf({ crypto: null }))
  })
})
