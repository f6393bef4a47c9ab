import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { windowPackets } from "../../src/srtp/PacketWindow.js"
import { srtpTrailerBytes } from "../../src/srtp/Srtp.js"
import { srtpSuites } from "../../src/srtp/SrtpKey.js"
import { anyKey, ends, keyOf, opened, protectedBy, rtcpPacket, soundPacket, uint32 } from "./Packets.js"

const key = keyOf("AES_CM_128_HMAC_SHA1_80")
const report = (fill: number) => rtcpPacket(0xCAFE_BABE, new Uint8Array(44).fill(fill))

describe("a packet of RTCP", () => {
  it("comes out as it went in, and into the same bytes too", () =>
    FastCheck.assert(
      FastCheck.property(anyKey, uint32, FastCheck.uint8Array({ maxLength: 200 }), (anyOf, ssrc, rest) => {
        const packet = rtcpPacket(ssrc, rest)
        const [apart, inPlace] = [ends(anyOf), ends(anyOf)]
        const sealed = protectedBy(apart.protectRtcp, packet)
        assert.strictEqual(sealed.length, packet.length + 14)
        assert.deepStrictEqual(opened(apart.unprotectRtcp, sealed), packet)
        const bytes = new Uint8Array(packet.length + srtpTrailerBytes)
        bytes.set(packet)
        assert.strictEqual(inPlace.protectRtcp(bytes, packet.length, bytes), sealed.length)
        assert.deepStrictEqual(bytes, sealed)
        assert.strictEqual(inPlace.unprotectRtcp(bytes, sealed.length, bytes), packet.length)
        assert.deepStrictEqual(bytes.slice(0, packet.length), packet)
      })
    ))

  it("has its index from 0 on, with the flag of encryption, and all but its first 8 bytes encrypted", () => {
    const { protectRtcp } = ends(key)
    const [first, second] = [protectedBy(protectRtcp, report(1)), protectedBy(protectRtcp, report(1))]
    assert.deepStrictEqual(Array.from(first.subarray(52, 56)), [0x80, 0, 0, 0])
    assert.deepStrictEqual(Array.from(second.subarray(52, 56)), [0x80, 0, 0, 1])
    assert.deepStrictEqual(first.slice(0, 8), report(1).slice(0, 8))
    assert.notDeepEqual(first.slice(8, 52), report(1).slice(8))
    assert.notDeepEqual(first.slice(8, 52), second.slice(8, 52))
  })

  for (const suite of srtpSuites) {
    it(`is refused when any bit of it has changed, and then taken as it was sent: ${suite}`, () => {
      const { protectRtcp, unprotectRtcp } = ends(keyOf(suite))
      const sealed = protectedBy(protectRtcp, report(1))
      for (let bit = 0; bit < 8 * sealed.length; bit++) {
        const changed = sealed.slice()
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ 1 << (bit & 7)
        assert.include(["authentication", "malformed"], opened(unprotectRtcp, changed))
      }
      assert.deepStrictEqual(opened(unprotectRtcp, sealed), report(1))
    })
  }

  it("is taken once, late within the window, and not beyond it", () => {
    const { protectRtcp, unprotectRtcp } = ends(key)
    const sealed = Array.from({ length: windowPackets + 1 }, (_, at) => protectedBy(protectRtcp, report(at)))
    const hear = (at: number) => opened(unprotectRtcp, sealed[at] ?? new Uint8Array())
    assert.deepStrictEqual(hear(windowPackets), report(windowPackets))
    for (const at of [1, 64, windowPackets - 1]) assert.deepStrictEqual(hear(at), report(at))
    for (const at of [0, 1, 64, windowPackets]) assert.strictEqual(hear(at), "replay")
  })

  it("does not disturb the packets of RTP of its source, nor they it", () => {
    const { protectRtcp, protectRtp, unprotectRtcp, unprotectRtp } = ends(key)
    for (let index = 0; index < 200_000; index += 30_000) {
      assert.deepStrictEqual(opened(unprotectRtp, protectedBy(protectRtp, soundPacket(index))), soundPacket(index))
      assert.deepStrictEqual(opened(unprotectRtcp, protectedBy(protectRtcp, report(7))), report(7))
    }
  })

  it("is malformed when it is too short, does not fit or is not encrypted", () => {
    const { protectRtcp, unprotectRtcp } = ends(key)
    const sealed = protectedBy(protectRtcp, report(1))
    for (let length = 0; length < 22; length++) {
      assert.strictEqual(opened(unprotectRtcp, sealed.slice(0, length)), "malformed")
    }
    const clear = sealed.slice()
    clear[52] = 0
    assert.strictEqual(opened(unprotectRtcp, clear), "malformed")
    assert.strictEqual(unprotectRtcp(sealed, sealed.length, new Uint8Array(sealed.length - 1)), "malformed")
    assert.strictEqual(protectRtcp(report(1), 52, new Uint8Array(65)), "malformed")
    assert.strictEqual(protectRtcp(report(1), 7, new Uint8Array(65)), "malformed")
    assert.strictEqual(protectRtcp(report(1), 53, new Uint8Array(100)), "malformed")
  })
})
