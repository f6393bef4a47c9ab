import { assert, describe, it } from "@effect/vitest"
import { emptyRtpPacket, makeJitterBuffer, readRtp } from "@trunkline/sip"
import { FastCheck } from "effect"
import { packetsOf, staircase, stepOf, through, type Travelling, voice } from "./Stream.js"

interface Played {
  readonly frames: ReadonlyArray<Float32Array>
  readonly concealed: ReadonlyArray<boolean>
  readonly late: number
  /** Delay after each frame. */
  readonly delays: ReadonlyArray<number>
}

const play = (packets: ReadonlyArray<Travelling>, millis: number): Played => {
  const buffer = makeJitterBuffer()
  const packet = emptyRtpPacket()
  const known = new Set<number>()
  const frames: Array<Float32Array> = []
  const concealed: Array<boolean> = []
  const delays: Array<number> = []
  let at = 0
  for (let now = 20; now <= millis; now += 20) {
    for (let next = packets[at]; next !== undefined && next.arrival <= now; next = packets[++at]) {
      if (known.has(next.index)) continue
      known.add(next.index)
      readRtp(next.bytes, packet)
      buffer.push(packet, "alaw", next.arrival)
    }
    const frame = new Float32Array(160)
    concealed.push(buffer.pop(now, frame))
    frames.push(frame)
    delays.push(buffer.delayMillis)
  }
  return { frames, concealed, late: buffer.latePackets, delays }
}

/** The steps of a staircase that are heard, counted on from the first, and how far they ever went back. */
const climb = ({ concealed, frames }: Played): { readonly heardSteps: ReadonlySet<number>; readonly back: number } => {
  const heardSteps = new Set<number>()
  let top = 0
  let back = 0
  frames.forEach((frame, index) => {
    if (concealed[index] === true) return
    frame.forEach((sample, at) => {
      const step = sample === frame[at - 1] ? stepOf(sample) : undefined
      if (step === undefined) return
      const distance = (step - top % 128 + 192) % 128 - 64
      top += Math.max(0, distance)
      back = Math.max(back, -distance)
      heardSteps.add(top)
    })
  })
  return { heardSteps, back }
}

const network = FastCheck.record({
  seed: FastCheck.nat(),
  jitter: FastCheck.constantFrom(0, 5, 20, 60, 110),
  loss: FastCheck.constantFrom(0, 0.02, 0.1, 0.3),
  doubling: FastCheck.constantFrom(0, 0.1)
})

const packetSamples = FastCheck.constantFrom(80, 160, 240, 320, 480)

describe("a jitter buffer", () => {
  it("plays what arrives in its order, at a delay with a limit, over any network", () =>
    FastCheck.assert(FastCheck.property(network, packetSamples, (weather, samples) => {
      const packets = packetsOf(staircase(6_000), { packetSamples: samples })
      const played = play(through(packets, weather), 6_600)
      const { back } = climb(played)
      assert.isAtMost(back, 1)
      assert.isBelow(Math.max(...played.delays.slice(0, 300)), 400)
      assert.isTrue(played.frames.slice(-10).every((frame) => frame.every((sample) => sample === 0)))
      assert.isTrue(played.frames.flatMap((frame) => [...frame]).every((sample) => Math.abs(sample) <= 1))
    })))

  it("plays everything that a network without loss delivers in time", () =>
    FastCheck.assert(FastCheck.property(network, (weather) => {
      const played = play(through(packetsOf(staircase(6_000)), { ...weather, loss: 0 }), 6_300)
      const { heardSteps } = climb(played)
      const missed = Array.from({ length: 192 }, (_, step) => step).filter((step) => !heardSteps.has(step))
      assert.isAtMost(missed.length, 2 * played.late + 2)
      assert.isAtMost(played.late, 30)
    })))

  it("waits for a packet that is late, so that none of its sound is missed", () => {
    const packets = packetsOf(staircase(3_000)).map((packet) =>
      packet.index >= 75 && packet.index < 80 ? { ...packet, arrival: 1_600 } : packet
    )
    const { heardSteps } = climb(play(packets, 3_300))
    assert.strictEqual(heardSteps.size, 96)
  })

  it("shrinks again after a spike, in pauses and within sound", () => {
    for (const sound of [voice(9_000), voice(9_000).map((sample, at) => sample + 0.2 * Math.sin(at * 0.3))]) {
      const spike = packetsOf(sound).map((packet) =>
        packet.index >= 75 && packet.index < 82 ? { ...packet, arrival: 1_640 } : packet
      )
      const { delays } = play(spike, 9_000)
      assert.isAbove(delays[85] ?? 0, 120)
      assert.isBelow(delays[440] ?? 0, 60)
    }
  })

  it("follows a clock that is a permille faster or slower, without gaps", () => {
    for (const share of [0.999, 1.001]) {
      const packets = packetsOf(voice(60_000)).map((packet) => ({ ...packet, arrival: packet.arrival * share }))
      const { concealed, delays } = play(packets, 59_900)
      assert.isBelow(concealed.filter(Boolean).length, 10)
      assert.isBelow(Math.max(...delays), 80)
    }
  })

  it("drops what waited too long, after a time in which nothing was played", () => {
    const buffer = makeJitterBuffer()
    const packet = emptyRtpPacket()
    const frame = new Float32Array(160)
    for (const { arrival, bytes } of packetsOf(voice(2_200))) {
      readRtp(bytes, packet)
      buffer.push(packet, "alaw", arrival)
      if (arrival < 500 || arrival >= 2_000) buffer.pop(arrival + 20, frame)
    }
    assert.isBelow(buffer.delayMillis, 60)
  })
})
