import { assert, describe, it } from "@effect/vitest"
import { emptyRtpPacket, readRtp, writeRtp } from "@trunkline/sip"
import { FastCheck } from "effect"
import { makeCounterMode, maxPacket } from "../../src/srtp/CounterMode.js"
import { makeSrtpReceiver, makeSrtpSender } from "../../src/srtp/Srtp.js"
import { deriveSessionKey } from "../../src/srtp/SrtpKey.js"
import { anyKey, anyRtp, hex, keyOf, opened, protectedBy, protectedByFormula, soundPacket } from "./Packets.js"

const long = keyOf("AES_CM_128_HMAC_SHA1_80")
const short = keyOf("AES_CM_128_HMAC_SHA1_32")

describe("the keystream", () => {
  const cipher = makeCounterMode(hex("2B7E151628AED2A6ABF7158809CF4F3C"), hex("F0F1F2F3F4F5F6F7F8F9FAFBFCFD"))

  it("is that of RFC 3711, appendix B.2", () => {
    const zeros = new Uint8Array(48)
    cipher.apply(0, 0, 0, zeros, 0, zeros.length)
    assert.deepStrictEqual(
      zeros,
      hex("E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0")
    )
  })

  it("encrypts only the bytes between both positions, whatever the lengths before", () => {
    const whole = new Uint8Array(maxPacket)
    cipher.apply(1, 2, 3, whole, 0, whole.length)
    for (const length of [0, 1, 15, 16, 17, 160, 161, 33, maxPacket - 10]) {
      const bytes = new Uint8Array(length + 10).fill(9)
      cipher.apply(1, 2, 3, bytes, 5, length + 5)
      const expected = Uint8Array.from({ length }, (_, at) => (whole[at] ?? 0) ^ 9)
      assert.deepStrictEqual(bytes.slice(5, length + 5), expected)
      assert.deepStrictEqual([...bytes.slice(0, 5), ...bytes.slice(length + 5)], Array.from({ length: 10 }, () => 9))
    }
  })
})

describe("session keys", () => {
  it("are those of RFC 3711, appendix B.3", () => {
    assert.deepStrictEqual(deriveSessionKey(long, 0, 16), hex("C61E7A93744F39EE10734AFE3FF7A087"))
    assert.deepStrictEqual(deriveSessionKey(long, 2, 14), hex("30CBBC08863D8C85D49DB34A9AE1"))
    assert.deepStrictEqual(
      deriveSessionKey(long, 1, 94),
      hex(`CEBE321F6FF7716B6FD4AB49AF256A15 6D38BAA48F0A0ACF3C34E2359E6CDBCE
           E049646C43D9327AD175578EF7227098 6371C10C9A369AC2F94A8C5FBCDDDC25
           6D6E919A48B610EF17C2041E47403576 6B68642C59BBFC2F34DB60DBDFB2`)
    )
  })

  it("need a key and a salt of 30 bytes, which no error repeats", () => {
    const master = hex("E1F97A0D3E018BE0D64FA32C06DE41")
    assert.throws(() => makeSrtpSender({ ...long, master }), /^An SRTP master key and salt have 30 bytes$/)
  })
})

/** Packets that the tests of libsrtp check for the key of RFC 3711, appendix B.3. */
describe("the packets of libsrtp", () => {
  const rtp = hex(`800F1234DECAFBADCAFEBABE ${"AB".repeat(16)}`)
  const protectedRtp = hex(`800F1234DECAFBADCAFEBABE 4E55DC4CE79978D88CA4D215949D2402 B78D6ACC99EA179B8DBB`)
  const rtcp = hex(`81C8000BCAFEBABE ${"AB".repeat(16)}`)
  const protectedRtcp = hex(`81C8000BCAFEBABE 7128035BE487B9BDBEF89041F977A5A8 80000001 993E08CD54D6C1230798`)

  it("are made with both suites", () => {
    assert.deepStrictEqual(protectedBy(makeSrtpSender(long).protectRtp, rtp), protectedRtp)
    assert.deepStrictEqual(protectedBy(makeSrtpSender(short).protectRtp, rtp), protectedRtp.slice(0, -6))
    for (const key of [long, short]) {
      const { protectRtcp } = makeSrtpSender(key)
      // Their first index is 1.
      protectedBy(protectRtcp, rtcp)
      assert.deepStrictEqual(protectedBy(protectRtcp, rtcp), protectedRtcp)
    }
  })

  it("are opened with both suites", () => {
    assert.deepStrictEqual(opened(makeSrtpReceiver(long).unprotectRtp, protectedRtp), rtp)
    assert.deepStrictEqual(opened(makeSrtpReceiver(short).unprotectRtp, protectedRtp.slice(0, -6)), rtp)
    for (const key of [long, short]) {
      assert.deepStrictEqual(opened(makeSrtpReceiver(key).unprotectRtcp, protectedRtcp), rtcp)
    }
  })
})

describe("a protected packet", () => {
  it("is what the formulas of RFC 3711 yield, for every key, source and header", () =>
    FastCheck.assert(FastCheck.property(anyKey, anyRtp, (key, { header, payload }) => {
      const packet = writeRtp(header, payload)
      const rtpPacket = emptyRtpPacket()
      assert.isTrue(readRtp(packet, rtpPacket))
      assert.deepStrictEqual(
        protectedBy(makeSrtpSender(key).protectRtp, packet),
        protectedByFormula(key, packet, rtpPacket.payloadStart, 0)
      )
    })))

  it("is what they yield for later roll-over counters", () => {
    const { protectRtp } = makeSrtpSender(long)
    for (let index = 0; index < 5 * 2 ** 16; index += 20_000) {
      const packet = soundPacket(index)
      const expected = protectedByFormula(long, packet, 12, Math.floor(index / 2 ** 16))
      assert.deepStrictEqual(protectedBy(protectRtp, packet), expected)
    }
  })
})
