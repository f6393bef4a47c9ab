import { assert, describe, it } from "@effect/vitest"
import { mulaw } from "@trunkline/audio"
import { makeRtpReceiver, type ReceivedFormats, type RtpReceiver, writeRtp } from "@trunkline/sip"
import { FastCheck } from "effect"
import { packetsOf, through, type Travelling, voice } from "./Stream.js"

const formats: ReceivedFormats = {
  sounds: [{ codec: "alaw", payloadType: 8 }, { codec: "mulaw", payloadType: 0 }],
  telephoneEvent: 101
}

const makeReceiver = () => {
  const keys: Array<string> = []
  return { receiver: makeRtpReceiver({ formats, onKey: (key) => keys.push(key) }), keys }
}

interface Heard {
  readonly samples: Float32Array
  readonly concealed: ReadonlyArray<boolean>
}

/** Frames at every 20 ms, between packets that arrive. */
const hear = (receiver: RtpReceiver, packets: ReadonlyArray<Travelling>, millis: number): Heard => {
  const samples = new Float32Array(millis * 8)
  const concealed: Array<boolean> = []
  let at = 0
  for (let now = 20; now <= millis; now += 20) {
    for (let packet = packets[at]; packet !== undefined && packet.arrival <= now; packet = packets[++at]) {
      receiver.push(packet.bytes, packet.arrival)
    }
    concealed.push(receiver.pop(now, samples.subarray((now - 20) * 8, now * 8)))
  }
  return { samples, concealed }
}

const power = (samples: Float32Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length

const count = (concealed: ReadonlyArray<boolean>): number => concealed.filter(Boolean).length

describe("a receiver", () => {
  it("plays a steady stream unchanged, 40 ms after its arrival at first and 20 ms later on", () => {
    const { receiver } = makeReceiver()
    const sound = voice(10_000)
    const { concealed, samples } = hear(receiver, packetsOf(sound), 10_000)
    assert.strictEqual(count(concealed), 0)
    for (let at = 160; at < 4_000; at++) assert.closeTo(samples[at] ?? 0, sound[at - 160] ?? 0, 0.02)
    assert.closeTo(receiver.statistics().delayMillis, 25, 6)
    assert.deepInclude(receiver.statistics(), { received: 500, lost: 0, late: 0, duplicates: 0, reordered: 0 })
  })

  it("takes packets of any duration", () => {
    for (const packetSamples of [80, 160, 240, 320, 480, 100]) {
      const { receiver } = makeReceiver()
      const { concealed, samples } = hear(receiver, packetsOf(voice(3_600), { packetSamples }), 3_600)
      assert.strictEqual(count(concealed), 0, `${packetSamples} samples`)
      assert.closeTo(power(samples), power(voice(3_600)), 0.003, `${packetSamples} samples`)
    }
  })

  it("counts what is lost, late, doubled and out of order", () => {
    const { receiver } = makeReceiver()
    const stream = packetsOf(voice(4_000))
    const packets = stream.filter(({ index }) => index % 20 !== 10).flatMap((packet) => {
      if (packet.index % 20 === 3) return [packet, { ...packet, arrival: packet.arrival + 4 }]
      if (packet.index === 25) return { ...packet, arrival: packet.arrival + 25 }
      return packet.index === 145 ? { ...packet, arrival: packet.arrival + 300 } : packet
    }).toSorted((left, right) => left.arrival - right.arrival)
    const { concealed } = hear(receiver, packets, 4_000)
    const { concealedFrames, ...rest } = receiver.statistics()
    assert.deepInclude(rest, { received: 190, lost: 10, late: 1, duplicates: 10, reordered: 2 })
    assert.strictEqual(concealedFrames, count(concealed))
    assert.isAtLeast(concealedFrames, 8)
    assert.isAtMost(concealedFrames, 2 * 12)
    const report = receiver.report()
    assert.deepInclude(report, { ssrc: 7, lost: 10, fractionLost: Math.floor(256 * 10 / 200), highestSequence: 65_699 })
    assert.strictEqual(receiver.report()?.fractionLost, 0)
  })

  it("measures jitter as RFC 3550 does", () => {
    const { receiver } = makeReceiver()
    const packets = packetsOf(voice(4_000)).map((packet) => ({
      ...packet,
      arrival: packet.arrival + packet.index % 2 * 8
    }))
    hear(receiver, packets, 4_000)
    assert.closeTo(receiver.statistics().jitterMillis, 8, 0.01)
    assert.strictEqual(receiver.report()?.jitter, 64)
  })

  it("fills the gap of a lost packet with the voice before it, and fades within 60 ms", () => {
    const { receiver } = makeReceiver()
    const lost = packetsOf(voice(1_000)).filter(({ index }) => index < 20 || index >= 26)
    const { concealed, samples } = hear(receiver, lost, 1_000)
    const from = concealed.indexOf(true)
    const frames = Array.from(
      { length: 4 },
      (_, at) => power(samples.subarray((from + at) * 160, (from + at + 1) * 160))
    )
    const whole = power(voice(1_000))
    assert.isAbove(frames[0] ?? 0, 0.4 * whole)
    assert.isTrue(frames.every((each, at) => at === 0 || each <= (frames[at - 1] ?? 0)))
    assert.strictEqual(frames[3], 0)
    const steps = samples.map((sample, at) => Math.abs(sample - (samples[at - 1] ?? 0)))
    assert.isBelow(Math.max(...steps), 0.15, "no click")
  })

  it("takes a pause of the sender for silence, not for loss", () => {
    const { receiver } = makeReceiver()
    const before = packetsOf(voice(1_000), { sequence: 0, timestamp: 0 })
    const after = packetsOf(voice(1_000), { sequence: 50, timestamp: 24_000, start: 3_000 })
    const { concealed, samples } = hear(receiver, [...before, ...after], 4_000)
    assert.isAtMost(count(concealed), 3)
    assert.isTrue(samples.subarray(1_150 * 8, 3_000 * 8).every((sample) => sample === 0))
    assert.closeTo(power(samples.subarray(3_050 * 8)), power(voice(1_000)), 0.01)
    assert.isBelow(receiver.statistics().delayMillis, 60)
  })

  it("goes on at once when the source changes, and ignores single packets of others", () => {
    const { receiver } = makeReceiver()
    const stray = packetsOf(voice(20), { ssrc: 99, start: 333 })
    const first = packetsOf(voice(1_000))
    const second = packetsOf(voice(1_000), { ssrc: 8, sequence: 5, timestamp: 77, start: 1_000 })
    const packets = [...first, ...stray, ...second].toSorted((left, right) => left.arrival - right.arrival)
    const { concealed, samples } = hear(receiver, packets, 2_000)
    assert.isAtMost(count(concealed), 3)
    assert.closeTo(power(samples.subarray(1_100 * 8)), power(voice(1_000)), 0.01)
    assert.deepInclude(receiver.statistics(), { received: 99, lost: 0 })
  })

  it("goes on when the timestamps jump, and when they stood still for seconds", () => {
    for (const timestamp of [1_000, 400]) {
      const { receiver } = makeReceiver()
      const first = packetsOf(voice(1_000), { timestamp: 0, sequence: 0 })
      const start = timestamp === 400 ? 1_000 : 4_000
      const jumped = timestamp === 400 ? 2 ** 31 : 8_000
      const second = packetsOf(voice(1_000), { timestamp: jumped, sequence: 50, start })
      const { samples } = hear(receiver, [...first, ...second], start + 1_000)
      assert.closeTo(power(samples.subarray((start + 200) * 8)), power(voice(1_000)), 0.02)
    }
  })

  it("hears keys, and takes them for silence", () => {
    const { keys, receiver } = makeReceiver()
    const sound = packetsOf(voice(1_000), { sequence: 0, timestamp: 0 }).slice(0, 40)
    const pressed = Array.from({ length: 8 }, (_, at): Travelling => ({
      bytes: writeRtp(
        { payloadType: 101, marker: at === 0, sequence: 40 + at, timestamp: 6_400, ssrc: 7 },
        Uint8Array.of(11, at > 5 ? 0x8A : 10, (at + 1) * 160 >> 8, (at + 1) * 160)
      ),
      arrival: 800 + 20 * at,
      index: 40 + at
    }))
    const { concealed } = hear(receiver, [...sound, ...pressed], 980)
    assert.deepStrictEqual(keys, ["#"])
    assert.strictEqual(count(concealed), 0)
    assert.strictEqual(receiver.statistics().lost, 0)
  })

  it("hears each packet by the law of its payload type", () => {
    const { receiver } = makeReceiver()
    const sound = voice(2_000)
    const inTurn = packetsOf(sound, { sequence: 0, timestamp: 0 }).map(({ bytes, ...packet }, at) => ({
      ...packet,
      bytes: at % 2 === 0
        ? bytes
        : writeRtp(
          { payloadType: 0, marker: false, sequence: at, timestamp: at * 160, ssrc: 7 },
          mulaw.encode(sound.subarray(at * 160, (at + 1) * 160))
        )
    }))
    const { samples } = hear(receiver, inTurn, 2_000)
    assert.closeTo(power(samples.subarray(1_600)), power(sound.subarray(1_600)), 0.01)
  })

  it("ignores what is no packet, and formats that were not agreed", () => {
    const { receiver } = makeReceiver()
    assert.isFalse(receiver.push(Uint8Array.of(1, 2, 3), 0))
    const foreign = writeRtp({ payloadType: 3, marker: false, sequence: 1, timestamp: 0, ssrc: 1 }, new Uint8Array(33))
    assert.isTrue(receiver.push(foreign, 0))
    const frame = new Float32Array(160).fill(1)
    assert.isFalse(receiver.pop(20, frame))
    assert.isTrue(frame.every((sample) => sample === 0))
  })

  it("never crashes, grows or clicks beyond full scale, whatever arrives when", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.tuple(FastCheck.uint8Array({ maxLength: 400 }), FastCheck.nat(50)), { maxLength: 60 }),
      (all) => {
        const { receiver } = makeReceiver()
        const frame = new Float32Array(160)
        let now = 0
        for (const [bytes, pause] of all) {
          if (bytes.length > 1) bytes.set([0x80, bytes[1] === 0 ? 101 : 8])
          receiver.push(bytes, now)
          now += pause
          receiver.pop(now, frame)
          assert.isTrue(frame.every((sample) => Math.abs(sample) <= 1))
        }
      }
    )))

  it("follows the jitter of a network, so that few packets come too late", () => {
    const { receiver } = makeReceiver()
    const stream = packetsOf(voice(30_000))
    hear(receiver, through(stream, { seed: 1, jitter: 60, loss: 0.1, doubling: 0.05 }), 30_000)
    const { concealedFrames, delayMillis, late, lost } = receiver.statistics()
    assert.isAbove(delayMillis, 50)
    assert.isBelow(delayMillis, 120)
    assert.isBelow(late, 15)
    assert.isBelow(concealedFrames, 2 * (lost + late))
  })
})
