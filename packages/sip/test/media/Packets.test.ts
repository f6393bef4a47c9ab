import { assert, describe, it } from "@effect/vitest"
import { alaw, mulaw } from "@trunkline/audio"
import {
  emptyRtpPacket,
  isRtcp,
  readRtp,
  type RtpHeader,
  rtpHeaderBytes,
  writeRtp,
  writeRtpHeader
} from "@trunkline/sip"
import { FastCheck } from "effect"
import { packets } from "rtp.js"
import { laws } from "../../src/media/packets/Law.js"

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

const uint32 = FastCheck.nat(0xFFFF_FFFF)
const bytes = (maxLength: number) => FastCheck.uint8Array({ maxLength })

const fields = {
  payloadType: FastCheck.constantFrom(0, 8, 13, 96, 101, 127),
  marker: FastCheck.boolean(),
  sequence: FastCheck.nat(0xFFFF),
  timestamp: uint32,
  ssrc: uint32
}

const whole: FastCheck.Arbitrary<RtpHeader> = FastCheck.record({
  ...fields,
  contributingSources: FastCheck.array(uint32, { maxLength: 15 }),
  extension: FastCheck.record({
    profile: FastCheck.nat(0xFFFF),
    data: FastCheck.nat(8).map((words) => new Uint8Array(words * 4).fill(7))
  }),
  padding: FastCheck.integer({ min: 1, max: 255 })
}, { requiredKeys: ["payloadType", "marker", "sequence", "timestamp", "ssrc"] })

const read = (packet: Uint8Array) => {
  const rtp = emptyRtpPacket()
  return readRtp(packet, rtp) ? rtp : null
}

describe("an RTP packet", () => {
  it("is read as rtp.js reads it, whatever its header holds", () =>
    FastCheck.assert(FastCheck.property(whole, bytes(200), (header, payload) => {
      const written = writeRtp(header, payload)
      const theirs = new packets.RtpPacket(viewOf(written))
      assert.strictEqual(theirs.getPayloadType(), header.payloadType)
      assert.strictEqual(theirs.getMarker(), header.marker)
      assert.strictEqual(theirs.getSequenceNumber(), header.sequence)
      assert.strictEqual(theirs.getTimestamp(), header.timestamp)
      assert.strictEqual(theirs.getSsrc(), header.ssrc)
      assert.deepStrictEqual(theirs.getCsrcs(), [...header.contributingSources ?? []])
      assert.strictEqual(theirs.getPadding(), header.padding ?? 0)
      assert.deepStrictEqual([...bytesOf(theirs.getPayload())], [...payload])
      const ours = read(written)
      const { payloadEnd = 0, payloadStart = 0, bytes: _, ...rest } = ours ?? {}
      assert.deepStrictEqual({ ...header, ...rest }, header)
      assert.deepStrictEqual([...written.subarray(payloadStart, payloadEnd)], [...payload])
    })))

  it("is written byte by byte as rtp.js writes it", () =>
    FastCheck.assert(FastCheck.property(FastCheck.record(fields), bytes(200), (header, payload) => {
      const theirs = new packets.RtpPacket()
      theirs.setPayloadType(header.payloadType)
      theirs.setMarker(header.marker)
      theirs.setSequenceNumber(header.sequence)
      theirs.setTimestamp(header.timestamp)
      theirs.setSsrc(header.ssrc)
      theirs.setPayload(viewOf(payload))
      theirs.serialize()
      assert.deepStrictEqual([...writeRtp(header, payload)], [...bytesOf(theirs.getView())])
      const bare = new Uint8Array(rtpHeaderBytes)
      assert.strictEqual(writeRtpHeader(bare, header), rtpHeaderBytes)
      assert.deepStrictEqual([...bare], [...writeRtp(header, new Uint8Array())])
    })))

  it("is refused when it is cut within its header, or has impossible lengths", () => {
    const header = { payloadType: 0, marker: false, sequence: 1, timestamp: 2, ssrc: 3, contributingSources: [4, 5] }
    const packet = writeRtp(
      { ...header, extension: { profile: 1, data: new Uint8Array(8) }, padding: 4 },
      new Uint8Array(5)
    )
    for (let length = 0; length < 32; length++) assert.isNull(read(packet.subarray(0, length)), `${length} bytes`)
    assert.isNotNull(read(packet))
    for (const padding of [0, 10, 255]) {
      const damaged = packet.slice()
      damaged[damaged.length - 1] = padding
      assert.isNull(read(damaged), `padding ${padding}`)
    }
    packet[0] = 0x40
    assert.isNull(read(packet))
  })

  it("of any bytes lies within them", () =>
    FastCheck.assert(FastCheck.property(bytes(64), (noise) => {
      if (noise.length > 0) noise[0] = 0x80 | (noise[0] ?? 0) & 0x3F
      const rtp = read(noise)
      if (rtp === null) return
      assert.isAtLeast(rtp.payloadStart, rtpHeaderBytes)
      assert.isAtMost(rtp.payloadStart, rtp.payloadEnd)
      assert.isAtMost(rtp.payloadEnd, noise.length)
    })))

  it("is told from RTCP by its second byte", () => {
    assert.isTrue(isRtcp(Uint8Array.of(0x80, 200)))
    assert.isFalse(isRtcp(Uint8Array.of(0x80, 0)))
    assert.isFalse(isRtcp(Uint8Array.of(0x80, 0x80 | 101)))
  })
})

describe("the tables of a law", () => {
  const levels = Float32Array.from({ length: 0x1_0000 }, (_, index) => index / 0x8000 - 1)

  it("convert as the codecs of sound do", () => {
    for (const [law, codec] of [[laws.mulaw, mulaw], [laws.alaw, alaw]] as const) {
      const codes = new Uint8Array(levels.length)
      law.encode(levels, codes, 0)
      assert.deepStrictEqual(codes, codec.encode(levels))
      assert.deepStrictEqual(law.samples, codec.decode(Uint8Array.from({ length: 256 }, (_, code) => code)))
    }
  })

  it("clamp what is too loud, and silence what is not finite", () => {
    const codes = new Uint8Array(7).fill(1)
    laws.alaw.encode(Float32Array.of(Number.NaN, Infinity, -Infinity, 3, -3), codes, 1)
    const [loud, quiet] = alaw.encode(Float32Array.of(1, -1))
    assert.deepStrictEqual([...codes], [1, 0xD5, 0xD5, 0xD5, loud, quiet, 1])
  })
})
