import { assert, describe, it } from "@effect/vitest"
import {
  emptyRtpPacket,
  makeRtpReceiver,
  makeRtpSender,
  readRtp,
  type ReceivedFormats,
  type RtpCodec,
  type SoundRate
} from "@trunkline/sip"
import { FastCheck } from "effect"
import { through, type Travelling } from "./Stream.js"

const payloadTypes: Readonly<Record<RtpCodec, number>> = { mulaw: 0, alaw: 8, g722: 9 }

const received: ReceivedFormats = {
  sounds: [{ codec: "g722", payloadType: 9 }, { codec: "mulaw", payloadType: 0 }, { codec: "alaw", payloadType: 8 }],
  telephoneEvent: 101
}

const formatsOf = (codec: RtpCodec, packetMillis = 20) => ({
  codec,
  payloadType: payloadTypes[codec],
  telephoneEvent: 101,
  packetMillis
})

const tone = (rate: SoundRate, hertz: number, millis: number): Float32Array =>
  Float32Array.from({ length: rate * millis / 1_000 }, (_, at) => 0.4 * Math.sin(2 * Math.PI * hertz * at / rate))

/** Share of the energy of some samples at a frequency, by the filter of Goertzel. */
const shareOf = (samples: Float32Array, rate: SoundRate, hertz: number): number => {
  const factor = 2 * Math.cos(2 * Math.PI * hertz / rate)
  let [one, two, energy] = [0, 0, 0]
  for (const sample of samples) {
    ;[one, two] = [sample + factor * one - two, one]
    energy += sample * sample
  }
  return energy === 0 ? 0 : 2 * (one * one + two * two - factor * one * two) / (energy * samples.length)
}

/** Packets of a tone, whose codec may change with each frame. */
const packetsFor = (
  rate: SoundRate,
  hertz: number,
  { codecAt, millis, packetMillis = 20 }: {
    readonly codecAt: (frame: number) => RtpCodec
    readonly millis: number
    readonly packetMillis?: number
  }
): ReadonlyArray<Travelling> => {
  const packets: Array<Travelling> = []
  let now = 0
  const sender = makeRtpSender({
    formats: formatsOf(codecAt(0), packetMillis),
    rate,
    ssrc: 7,
    sequence: 65_500,
    timestamp: 0xFFFF_F000,
    send: (bytes) => packets.push({ bytes: bytes.slice(), arrival: now, index: packets.length })
  })
  const sound = tone(rate, hertz, millis)
  const length = rate / 50
  for (let frame = 0; frame < millis / 20; frame++) {
    now = 20 * frame
    if (codecAt(frame) !== codecAt(frame - 1)) sender.setFormats(formatsOf(codecAt(frame), packetMillis))
    sender.tick(sound.subarray(frame * length, (frame + 1) * length))
  }
  return packets
}

/** Frames that are heard, and whether they are concealed. */
const hear = (rate: SoundRate, packets: ReadonlyArray<Travelling>, millis: number) => {
  const keys: Array<string> = []
  const receiver = makeRtpReceiver({ formats: received, rate, onKey: (key) => keys.push(key) })
  const frames: Array<Float32Array> = []
  let concealed = 0
  let at = 0
  for (let now = 20; now <= millis; now += 20) {
    for (let packet = packets[at]; packet !== undefined && packet.arrival <= now; packet = packets[++at]) {
      receiver.push(packet.bytes, packet.arrival)
    }
    const frame = new Float32Array(rate / 50)
    if (receiver.pop(now, frame)) concealed += 1
    frames.push(frame)
  }
  return { frames, concealed, keys, statistics: receiver.statistics() }
}

const always = (codec: RtpCodec) => () => codec

describe("sound with a wide band", () => {
  it("is 160 bytes for 20 ms, and its timestamps count 8,000 a second (RFC 3551, section 4.5.2)", () => {
    for (const packetMillis of [20, 40]) {
      const packet = emptyRtpPacket()
      const read = packetsFor(16_000, 1_000, { codecAt: always("g722"), millis: 200, packetMillis }).map(
        ({ bytes }) => {
          assert.isTrue(readRtp(bytes, packet))
          return [packet.payloadType, packet.payloadEnd - packet.payloadStart, (packet.timestamp - 0xFFFF_F000) >>> 0]
        }
      )
      const bytes = 8 * packetMillis
      assert.deepStrictEqual(read, Array.from({ length: 200 / packetMillis }, (_, at) => [9, bytes, at * bytes]))
    }
  })

  it("arrives as it was sent, above 4 kHz too", () => {
    for (const hertz of [500, 3_000, 6_000]) {
      const { concealed, frames, statistics } = hear(
        16_000,
        packetsFor(16_000, hertz, { codecAt: always("g722"), millis: 2_000 }),
        2_000
      )
      assert.strictEqual(concealed, 0)
      assert.deepInclude(statistics, { received: 100, lost: 0, late: 0 })
      assert.isAtLeast(frames.filter((frame) => shareOf(frame, 16_000, hertz) > 0.9).length, 90, `${hertz} Hz`)
    }
  })

  it("passes between any rates and codecs, which may change with every packet", () => {
    const rates: ReadonlyArray<SoundRate> = [8_000, 16_000]
    const choices: ReadonlyArray<(frame: number) => RtpCodec> = [
      always("g722"),
      always("mulaw"),
      (frame) => (["g722", "mulaw", "alaw"] as const)[Math.floor(frame / 25) % 3] ?? "alaw"
    ]
    for (const from of rates) {
      for (const to of rates) {
        for (const codecAt of choices) {
          const { concealed, frames } = hear(to, packetsFor(from, 700, { codecAt, millis: 2_000 }), 2_000)
          assert.strictEqual(concealed, 0)
          assert.isTrue(frames.every((frame) => frame.every((sample) => Math.abs(sample) < 0.6)))
          assert.isAtLeast(frames.filter((frame) => shareOf(frame, to, 700) > 0.9).length, 80)
        }
      }
    }
  })

  it("is decoded in its order, and concealed, over any network", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.record({
        seed: FastCheck.nat(),
        jitter: FastCheck.constantFrom(0, 20, 60, 110),
        loss: FastCheck.constantFrom(0, 0.02, 0.1),
        doubling: FastCheck.constantFrom(0, 0.1)
      }),
      (weather) => {
        const packets = through(packetsFor(16_000, 800, { codecAt: always("g722"), millis: 4_000 }), weather)
        const { frames, statistics } = hear(16_000, packets, 4_600)
        const clear = frames.filter((frame) => shareOf(frame, 16_000, 800) > 0.8).length
        assert.isAtLeast(clear, 160 - 4 * (statistics.lost + statistics.late))
        assert.isTrue(frames.flatMap((frame) => [...frame]).every((sample) => Math.abs(sample) <= 1))
        assert.isTrue(frames.slice(-10).every((frame) => frame.every((sample) => Math.abs(sample) < 0.001)))
      }
    )))

  it("has keys between its packets", () => {
    const packets: Array<Travelling> = []
    let now = 0
    const sender = makeRtpSender({
      formats: formatsOf("g722"),
      rate: 16_000,
      ssrc: 7,
      sequence: 1,
      timestamp: 0,
      send: (bytes) => packets.push({ bytes: bytes.slice(), arrival: now, index: packets.length })
    })
    const sound = tone(16_000, 600, 20)
    for (; now < 1_000; now += 20) {
      if (now === 200) sender.press("5#")
      sender.tick(sender.isPressing ? null : sound)
    }
    assert.deepStrictEqual(hear(16_000, packets, 1_200).keys, ["5", "#"])
  })
})
