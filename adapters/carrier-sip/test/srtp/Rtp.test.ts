import { assert, describe, it } from "@effect/vitest"
import { writeRtp } from "@trunkline/sip"
import { FastCheck } from "effect"
import { maxPacket } from "../../src/srtp/CounterMode.js"
import { srtpTrailerBytes } from "../../src/srtp/Srtp.js"
import { srtpSuites } from "../../src/srtp/SrtpKey.js"
import { anyKey, anyRtp, ends, fateOf, keyOf, opened, protectedBy, soundPacket } from "./Packets.js"

const key = keyOf("AES_CM_128_HMAC_SHA1_80")

/** A packet with all parts that a header can have. */
const fullPacket = (sequence: number) =>
  writeRtp({
    payloadType: 8,
    marker: true,
    sequence,
    timestamp: 0xFFFF_FFF0,
    ssrc: 0xDEAD_BEEF,
    contributingSources: [1, 0xFFFF_FFFF],
    extension: { profile: 0xBEDE, data: Uint8Array.from([0x10, 0xFF, 0, 0]) },
    padding: 4
  }, Uint8Array.from({ length: 33 }, (_, index) => index))

describe("a packet of RTP", () => {
  it("comes out as it went in, whatever its header holds, and into the same bytes too", () =>
    FastCheck.assert(FastCheck.property(anyKey, anyRtp, (anyOf, { header, payload }) => {
      const packet = writeRtp(header, payload)
      const [apart, inPlace] = [ends(anyOf), ends(anyOf)]
      const sealed = protectedBy(apart.protectRtp, packet)
      assert.deepStrictEqual(opened(apart.unprotectRtp, sealed), packet)
      const bytes = new Uint8Array(packet.length + srtpTrailerBytes)
      bytes.set(packet)
      assert.strictEqual(inPlace.protectRtp(bytes, packet.length, bytes), sealed.length)
      assert.deepStrictEqual(bytes.slice(0, sealed.length), sealed)
      assert.strictEqual(inPlace.unprotectRtp(bytes, sealed.length, bytes), packet.length)
      assert.deepStrictEqual(bytes.slice(0, packet.length), packet)
    })))

  it("may be the longest, or have no payload", () => {
    for (const payload of [maxPacket - 12 - srtpTrailerBytes, 0]) {
      const { protectRtp, unprotectRtp } = ends(key)
      const packet = writeRtp(
        { payloadType: 0, marker: false, sequence: 1, timestamp: 2, ssrc: 3 },
        new Uint8Array(payload).fill(5)
      )
      assert.deepStrictEqual(opened(unprotectRtp, protectedBy(protectRtp, packet)), packet)
    }
  })

  for (const suite of srtpSuites) {
    it(`is refused when any bit of it has changed, and then taken as it was sent: ${suite}`, () => {
      const { protectRtp, unprotectRtp } = ends(keyOf(suite))
      assert.strictEqual(fateOf(unprotectRtp, protectedBy(protectRtp, fullPacket(1))), "taken")
      const sealed = protectedBy(protectRtp, fullPacket(2))
      for (let bit = 0; bit < 8 * sealed.length; bit++) {
        const changed = sealed.slice()
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ 1 << (bit & 7)
        assert.include(["authentication", "replay", "malformed"], opened(unprotectRtp, changed))
      }
      assert.deepStrictEqual(opened(unprotectRtp, sealed), fullPacket(2))
      assert.deepStrictEqual(opened(unprotectRtp, protectedBy(protectRtp, fullPacket(3))), fullPacket(3))
    })
  }

  it("fails authentication under another key, another salt and another suite's tag", () => {
    const sealed = protectedBy(ends(key).protectRtp, fullPacket(1))
    for (const at of [0, 15, 16, 29]) {
      const master = key.master.slice()
      master[at] = (master[at] ?? 0) ^ 1
      assert.strictEqual(opened(ends({ ...key, master }).unprotectRtp, sealed), "authentication")
    }
    assert.strictEqual(opened(ends(keyOf("AES_CM_128_HMAC_SHA1_32")).unprotectRtp, sealed), "authentication")
  })

  it("is no exception however short or long it is, or however random its bytes", () => {
    const { protectRtp, unprotectRtcp, unprotectRtp } = ends(key)
    const sealed = protectedBy(protectRtp, fullPacket(1))
    for (let length = 0; length < sealed.length; length++) {
      assert.isString(opened(unprotectRtp, sealed.slice(0, length)))
    }
    assert.strictEqual(opened(unprotectRtp, sealed.slice(0, 21)), "malformed")
    assert.strictEqual(opened(unprotectRtp, new Uint8Array(maxPacket + 1).fill(0x80)), "malformed")
    FastCheck.assert(FastCheck.property(FastCheck.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.isString(opened(unprotectRtp, bytes))
      assert.isString(opened(unprotectRtcp, bytes))
    }))
    assert.deepStrictEqual(opened(unprotectRtp, sealed), fullPacket(1))
  })

  it("is malformed when it does not fit, without harm to the next", () => {
    const { protectRtp, unprotectRtp } = ends(key)
    const packet = fullPacket(1)
    const sealed = protectedBy(ends(key).protectRtp, packet)
    assert.strictEqual(protectRtp(packet, packet.length, new Uint8Array(packet.length + 9)), "malformed")
    assert.strictEqual(protectRtp(packet, packet.length + 1, new Uint8Array(500)), "malformed")
    assert.strictEqual(protectRtp(packet, 11, new Uint8Array(500)), "malformed")
    assert.strictEqual(protectRtp(new Uint8Array(12), 12, new Uint8Array(500)), "malformed")
    assert.strictEqual(unprotectRtp(sealed, sealed.length, new Uint8Array(sealed.length - 1)), "malformed")
    assert.strictEqual(unprotectRtp(sealed, sealed.length + 1, new Uint8Array(500)), "malformed")
    assert.deepStrictEqual(opened(unprotectRtp, protectedBy(protectRtp, packet)), packet)
  })

  it("has a sequence number that is sent once only", () => {
    const { protectRtp } = ends(key)
    const into = new Uint8Array(100)
    protectedBy(protectRtp, soundPacket(7))
    assert.strictEqual(protectRtp(soundPacket(7), 32, into), "replay")
    assert.strictEqual(protectRtp(soundPacket(8), 32, into), 42)
  })
})
