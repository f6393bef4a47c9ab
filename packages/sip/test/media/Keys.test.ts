import { assert, describe, it } from "@effect/vitest"
import { emptyRtpPacket, readRtp, writeRtp } from "@trunkline/sip"
import { FastCheck } from "effect"
import { makeKeyReceiver } from "../../src/media/keys/KeyReceiver.js"
import { makeKeySender } from "../../src/media/keys/KeySender.js"

/** Ticks of a sender until it is done, with the packet of each. */
const ticksOf = (digits: string, count: number) => {
  const sender = makeKeySender()
  sender.press(digits)
  return Array.from({ length: count }, () => {
    const isPressing = sender.isPressing
    return { packet: sender.tick(), isPressing }
  })
}

describe("a sender of keys", () => {
  it("sends the start, an update after every 50 ms, and the end three times", () => {
    const packets = ticksOf("5", 14).map(({ packet }) => packet && [packet.duration, packet.since, packet.isEnd])
    assert.deepStrictEqual(packets, [
      [160, 0, false],
      null,
      [480, 320, false],
      null,
      [800, 640, false],
      null,
      null,
      [1_280, 1_120, true],
      [1_280, 1_280, true],
      [1_280, 1_440, true],
      null,
      null,
      null,
      null
    ])
  })

  it("keeps a gap of 80 ms between two keys, and gives the line back to sound meanwhile", () => {
    const ticks = ticksOf("1#", 24)
    const starts = ticks.flatMap(({ packet }, tick) => packet?.since === 0 ? [[tick, packet.event]] : [])
    assert.deepStrictEqual(starts, [[0, 1], [12, 11]])
    const pressing = ticks.flatMap(({ isPressing }, tick) => isPressing ? [tick] : [])
    assert.deepStrictEqual(pressing, [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18, 19])
  })

  it("ignores characters that are no keys", () => {
    const events = ticksOf("a1 😀D", 40).flatMap(({ packet }) => packet?.since === 0 ? [packet.event] : [])
    assert.deepStrictEqual(events, [1, 15])
  })
})

interface Sent {
  readonly event: number
  readonly timestamp: number
  readonly duration: number
  readonly isEnd?: boolean
  readonly marker?: boolean
}

const keysIn = (packets: ReadonlyArray<Sent>): string => {
  const receiver = makeKeyReceiver()
  const packet = emptyRtpPacket()
  return packets.map(({ duration, event, isEnd = false, marker = false, timestamp }) => {
    const payload = Uint8Array.of(event, isEnd ? 0x8A : 0x0A, duration >> 8, duration)
    readRtp(writeRtp({ payloadType: 101, marker, sequence: 0, timestamp: timestamp >>> 0, ssrc: 1 }, payload), packet)
    return receiver.push(packet) ?? ""
  }).join("")
}

/** All packets of a key. */
const keyOf = (event: number, timestamp: number): ReadonlyArray<Sent> => [
  { event, timestamp, duration: 160, marker: true },
  { event, timestamp, duration: 480 },
  { event, timestamp, duration: 800 },
  ...Array.from({ length: 3 }, () => ({ event, timestamp, duration: 1_280, isEnd: true }))
]

describe("a receiver of keys", () => {
  it("hears each key once, also when the same one is pressed again", () => {
    assert.strictEqual(keysIn([...keyOf(5, 0), ...keyOf(5, 2_000), ...keyOf(11, 4_000)]), "55#")
  })

  it("hears keys of which any packets are lost, doubled or late, as long as one arrives", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.record({ event: FastCheck.nat(15), lost: FastCheck.nat(62) }), { maxLength: 6 }),
      FastCheck.nat(0xFFFF_FFFF),
      (pressed, start) => {
        const packetLists = pressed.map(({ event, lost }, index) =>
          keyOf(event, start + index * 2_000).filter((_, at) => (lost >> at & 1) === 0)
        )
        const late = packetLists.flatMap((packets, index) => [...packets, ...packetLists[index - 1] ?? [], ...packets])
        const keys = pressed.map(({ event }) => "0123456789*#ABCD"[event]).join("")
        assert.strictEqual(keysIn(packetLists.flat()), keys)
        assert.strictEqual(keysIn(late), keys)
      }
    )))

  it("hears a key of twenty seconds once, which comes in segments", () => {
    const segment = (index: number): ReadonlyArray<Sent> => [
      { event: 1, timestamp: index * 0xFFFF, duration: 400, marker: index === 0 },
      { event: 1, timestamp: index * 0xFFFF, duration: 30_000 },
      { event: 1, timestamp: index * 0xFFFF, duration: index === 2 ? 30_000 : 0xFFFF, isEnd: index === 2 }
    ]
    assert.strictEqual(keysIn([...segment(0), ...segment(1), ...segment(2), ...keyOf(1, 3 * 0xFFFF)]), "11")
  })

  it("hears two keys whose ends were lost", () => {
    const begin = (event: number, timestamp: number) => keyOf(event, timestamp).slice(0, 3)
    assert.strictEqual(keysIn([...begin(5, 0), ...begin(6, 2_000), ...begin(6, 4_000)]), "566")
  })

  it("ignores a flash, unknown events and packets that are too short", () => {
    assert.strictEqual(
      keysIn([{ event: 16, timestamp: 0, duration: 100 }, { event: 200, timestamp: 9, duration: 1 }]),
      ""
    )
    const packet = emptyRtpPacket()
    readRtp(
      writeRtp({ payloadType: 101, marker: true, sequence: 0, timestamp: 1, ssrc: 1 }, Uint8Array.of(1, 2, 3)),
      packet
    )
    assert.isUndefined(makeKeyReceiver().push(packet))
  })
})
