import { assert, describe, it } from "@effect/vitest"
import { alaw, mulaw } from "@trunkline/audio"
import { emptyRtpPacket, makeRtpSender, readRtp, type RtpPacket, type SentFormats } from "@trunkline/sip"
import { voice } from "./Stream.js"

const formats: SentFormats = { codec: "mulaw", payloadType: 0, telephoneEvent: 101 }

const makeSender = (overrides: Partial<SentFormats> = {}) => {
  const packets: Array<RtpPacket> = []
  const sender = makeRtpSender({
    formats: { ...formats, ...overrides },
    ssrc: 5,
    sequence: 65_535,
    timestamp: 0xFFFF_FF00,
    send: (bytes) => {
      const packet = emptyRtpPacket()
      assert.isTrue(readRtp(bytes.slice(), packet))
      packets.push(packet)
    }
  })
  return { sender, packets }
}

const payloadOf = ({ bytes, payloadEnd, payloadStart }: RtpPacket) => bytes.subarray(payloadStart, payloadEnd)
const frame = (at: number) => voice(2_000).subarray(at * 160, (at + 1) * 160)

/** Timestamps after the first one, in samples. */
const times = (packets: ReadonlyArray<RtpPacket>) => packets.map(({ timestamp }) => (timestamp - 0xFFFF_FF00) >>> 0)

describe("a sender", () => {
  it("sends a packet for each frame, with a marker on the first", () => {
    const { sender, packets } = makeSender()
    for (let at = 0; at < 3; at++) sender.tick(frame(at))
    assert.deepStrictEqual(packets.map(({ marker }) => marker), [true, false, false])
    assert.deepStrictEqual(packets.map(({ sequence }) => sequence), [65_535, 0, 1])
    assert.deepStrictEqual(times(packets), [0, 160, 320])
    assert.deepStrictEqual(packets.map(payloadOf), [0, 1, 2].map((at) => mulaw.encode(frame(at))))
    assert.deepInclude(sender, { packets: 3, octets: 480 })
  })

  it("has the codes of the last tick, as they were sent, and none of a tick without sound", () => {
    for (const codec of ["mulaw", "alaw"] as const) {
      const { sender, packets } = makeSender({ codec })
      assert.isNull(sender.lastCodes)
      for (let at = 0; at < 3; at++) {
        sender.tick(frame(at))
        assert.deepStrictEqual(sender.lastCodes, { codec, bytes: packets.map(payloadOf)[at] })
      }
      sender.tick(null)
      assert.isNull(sender.lastCodes)
    }
  })

  it("cuts the sound into packets of other durations", () => {
    for (const packetMillis of [10, 20, 30, 40, 60]) {
      const { sender, packets } = makeSender({ packetMillis, codec: "alaw", payloadType: 8 })
      for (let at = 0; at < 12; at++) sender.tick(frame(at))
      assert.strictEqual(packets.length, 240 / packetMillis)
      assert.deepStrictEqual(times(packets), packets.map((_, at) => at * packetMillis * 8))
      assert.deepStrictEqual(
        Uint8Array.from(packets.flatMap((packet) => [...payloadOf(packet)])),
        alaw.encode(voice(240))
      )
    }
  })

  it("sends packets of 20 ms when their duration makes no sense", () => {
    for (const packetMillis of [0, -5, 9, 61, 1_000, Number.NaN, Infinity]) {
      const { sender, packets } = makeSender({ packetMillis })
      for (let at = 0; at < 3; at++) sender.tick(frame(at))
      assert.deepStrictEqual(times(packets), [0, 160, 320])
    }
  })

  it("lets time pass without sending, and marks the next packet", () => {
    const { sender, packets } = makeSender()
    sender.tick(frame(0))
    sender.skip()
    sender.skip(3)
    sender.tick(frame(1))
    assert.deepStrictEqual(times(packets), [0, 800])
    assert.deepStrictEqual(packets.map(({ marker, sequence }) => [marker, sequence]), [[true, 65_535], [true, 0]])
  })

  it("sends keys in place of sound, and goes on with a marker", () => {
    const { sender, packets } = makeSender()
    sender.tick(frame(0))
    sender.press("x5")
    for (let at = 1; at <= 11; at++) sender.tick(sender.isPressing ? null : frame(at))
    const keys = packets.filter(({ payloadType }) => payloadType === 101)
    assert.deepStrictEqual(times(keys), [160, 160, 160, 160, 160, 160])
    assert.deepStrictEqual(keys.map(({ marker }) => marker), [true, false, false, false, false, false])
    assert.deepStrictEqual([...payloadOf(keys[5] ?? emptyRtpPacket())], [5, 0x8A, 1_280 >> 8, 1_280 & 0xFF])
    const sounds = packets.filter(({ payloadType }) => payloadType === 0)
    assert.deepStrictEqual(times(sounds), [0, 1_440, 1_600, 1_760])
    assert.deepStrictEqual(sounds.map(({ marker }) => marker), [true, true, false, false])
  })

  it("sends no keys to a side that does not take them", () => {
    const { sender, packets } = makeSender({ telephoneEvent: null })
    sender.press("5")
    assert.isFalse(sender.isPressing)
    sender.tick(frame(0))
    assert.deepStrictEqual(packets.map(({ payloadType }) => payloadType), [0])
  })

  it("changes its formats between two packets, and sends what waited before", () => {
    const { sender, packets } = makeSender({ packetMillis: 40 })
    for (let at = 0; at < 3; at++) sender.tick(frame(at))
    sender.setFormats({ codec: "alaw", payloadType: 8, telephoneEvent: null, packetMillis: 20 })
    sender.tick(frame(3))
    assert.deepStrictEqual(packets.map(({ payloadType }) => payloadType), [0, 0, 8])
    assert.deepStrictEqual(times(packets), [0, 320, 480])
    assert.deepStrictEqual(payloadOf(packets[2] ?? emptyRtpPacket()), alaw.encode(frame(3)))
  })
})
