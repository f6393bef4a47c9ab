import { assert, describe, it } from "@effect/vitest"
import { makeRtcpExchange, readRtcp, type ReportBlock, type RtcpReport, writeRtcp } from "@trunkline/sip"
import { FastCheck } from "effect"
import { packets } from "rtp.js"

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const uint32 = FastCheck.nat(0xFFFF_FFFF)

const block: FastCheck.Arbitrary<ReportBlock> = FastCheck.record({
  ssrc: uint32,
  fractionLost: FastCheck.nat(255),
  lost: FastCheck.oneof(FastCheck.nat(0xFFF), FastCheck.integer({ min: -0x80_0000, max: 0x7F_FFFF })),
  highestSequence: uint32,
  jitter: uint32,
  lastReport: uint32,
  sinceLastReport: uint32
})

const report: FastCheck.Arbitrary<RtcpReport> = FastCheck.record({
  ssrc: uint32,
  cname: FastCheck.stringMatching(/^[a-z0-9@.]{1,40}$/),
  sender: FastCheck.option(
    FastCheck.record({ seconds: uint32, fraction: uint32, timestamp: uint32, packets: uint32, octets: uint32 })
  ),
  block: FastCheck.option(block),
  bye: FastCheck.boolean()
})

describe("RTCP", () => {
  // rtp.js reads only the low 12 bits of the packets that were lost.
  const readable = report.filter(({ block }) => block === null || block.lost >= 0 && block.lost < 0x1000)

  it("is written as rtp.js reads it", () =>
    FastCheck.assert(FastCheck.property(readable, (written) => {
      const compound = new packets.CompoundPacket(viewOf(writeRtcp(written)))
      const [first, second, third] = compound.getPackets()
      assert.isTrue(first instanceof packets.SenderReportPacket === (written.sender !== null))
      assert.isTrue(first instanceof packets.ReceiverReportPacket === (written.sender === null))
      if (!(first instanceof packets.SenderReportPacket || first instanceof packets.ReceiverReportPacket)) return
      assert.strictEqual(first.getSsrc(), written.ssrc)
      if (first instanceof packets.SenderReportPacket && written.sender !== null) {
        assert.strictEqual(first.getNtpSeconds(), written.sender.seconds)
        assert.strictEqual(first.getNtpFraction(), written.sender.fraction)
        assert.strictEqual(first.getRtpTimestamp(), written.sender.timestamp)
        assert.strictEqual(first.getPacketCount(), written.sender.packets)
        assert.strictEqual(first.getOctetCount(), written.sender.octets)
      }
      assert.deepStrictEqual(
        first.getReports().map((report) => ({
          ssrc: report.getSsrc(),
          fractionLost: report.getFractionLost(),
          lost: report.getTotalLost(),
          highestSequence: report.getHighestSeqNumber(),
          jitter: report.getJitter(),
          lastReport: report.getLastSRTimestamp(),
          sinceLastReport: report.getDelaySinceLastSR()
        })),
        written.block === null ? [] : [written.block]
      )
      assert.isTrue(second instanceof packets.SdesPacket)
      if (second instanceof packets.SdesPacket) {
        const [chunk] = second.getChunks()
        assert.deepStrictEqual(chunk?.getItems().map(({ text }) => text), [written.cname])
      }
      assert.strictEqual(third instanceof packets.ByePacket, written.bye)
    })))

  it("is read as it was written", () =>
    FastCheck.assert(FastCheck.property(report, (written) => {
      assert.deepStrictEqual(readRtcp(writeRtcp(written)), {
        sender: written.sender === null ? null : { ...written.sender, ssrc: written.ssrc },
        blocks: written.block === null ? [] : [written.block],
        byes: written.bye ? [written.ssrc] : []
      })
    })))

  it("of any bytes is read or refused", () =>
    FastCheck.assert(FastCheck.property(report, FastCheck.nat(120), FastCheck.nat(255), (written, at, value) => {
      const bytes = writeRtcp(written)
      bytes[at % bytes.length] = value
      readRtcp(bytes)
      readRtcp(bytes.subarray(0, at))
      assert.isNull(readRtcp(new Uint8Array()))
      assert.isNull(readRtcp(bytes.subarray(0, 7)))
    })))

  it("measures the round trip and the loss of the other side", () => {
    const here = makeRtcpExchange({ ssrc: 1, cname: "here" })
    const there = makeRtcpExchange({ ssrc: 2, cname: "there" })
    const start = 1_764_000_000_000
    const senderReport = { timestamp: 160, packets: 1, octets: 160 }
    assert.isTrue(there.read(here.write({ now: start, sent: senderReport, received: null }), start + 40))
    assert.isNull(here.roundTripMillis)
    const received = { ssrc: 1, fractionLost: 25, lost: 3, highestSequence: 30, jitter: 16 }
    const answer = there.write({ now: start + 2_040, sent: null, received })
    assert.isTrue(here.read(answer, start + 2_070))
    assert.closeTo(here.roundTripMillis ?? 0, 70, 0.1)
    assert.strictEqual(here.remote?.lost, 3)
    const foreign = there.write({ now: start + 3_000, sent: null, received: { ...received, ssrc: 9, lost: 7 } })
    assert.isTrue(here.read(foreign, start + 3_000))
    assert.strictEqual(here.remote?.lost, 3)
    assert.isFalse(here.read(Uint8Array.of(1, 2, 3), start))
  })
})
