import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makePacketWindow, windowPackets } from "../../src/srtp/PacketWindow.js"
import { maxSources } from "../../src/srtp/SourceTable.js"
import { ends, fateOf, keyOf, opened, protectedBy, rtcpPacket, soundPacket } from "./Packets.js"

const key = keyOf("AES_CM_128_HMAC_SHA1_80")

/** Packets of a stream that begins at one index, protected in order. */
const stream = (from: number, count: number, ssrc?: number) => {
  const { protectRtp } = ends(key)
  return Array.from({ length: count }, (_, index) => protectedBy(protectRtp, soundPacket(from + index, ssrc)))
}

describe("packets that come", () => {
  it("twice are replays, also long after", () => {
    const { unprotectRtp } = ends(key)
    const sealed = stream(0, 1_000)
    for (const packet of sealed) {
      assert.strictEqual(fateOf(unprotectRtp, packet), "taken")
      assert.strictEqual(fateOf(unprotectRtp, packet), "replay")
    }
    for (const packet of sealed) assert.strictEqual(fateOf(unprotectRtp, packet), "replay")
  })

  it("late are taken once within the window, and not beyond it", () => {
    const sealed = stream(0, 400)
    const late = (by: number) => {
      const { unprotectRtp } = ends(key)
      return [200 + by, 200, 200].map((at) => fateOf(unprotectRtp, sealed[at]))
    }
    for (const by of [1, 63, 64, windowPackets - 1]) assert.deepStrictEqual(late(by), ["taken", "taken", "replay"])
    for (const by of [windowPackets, 199]) assert.deepStrictEqual(late(by), ["taken", "replay", "replay"])
  })

  it("in any order are each taken once, over the end of the sequence numbers", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.infiniteStream(FastCheck.nat(60)), (delays) => {
        const { unprotectRtp } = ends(key)
        const sealed = stream(65_536 - 60, 120)
        const times = sealed.map((packet, index) => {
          const { value = 0 } = delays.next()
          return { packet, index, at: index + (index === 0 ? 0 : value) }
        })
        const arrivals = times.sort((left, right) => left.at - right.at)
        for (const { index, packet } of arrivals) {
          assert.deepStrictEqual(opened(unprotectRtp, packet), soundPacket(65_536 - 60 + index))
          assert.strictEqual(opened(unprotectRtp, packet), "replay")
        }
      }),
      { numRuns: 20 }
    ))

  it("around the end of the sequence numbers are taken though many are lost, on either side", () => {
    for (const [before, after] of [[65_534, 65_536], [65_535, 65_537], [65_530, 65_544], [40_000, 72_000]] as const) {
      const { protectRtp, unprotectRtp } = ends(key)
      for (const index of [before - 1, before, after, after + 1]) {
        assert.deepStrictEqual(opened(unprotectRtp, protectedBy(protectRtp, soundPacket(index))), soundPacket(index))
      }
    }
  })

  it("are taken in later rounds of the sequence numbers, with late ones of the round before", () => {
    const { protectRtp, unprotectRtp } = ends(key)
    for (let round = 0; round < 5; round++) {
      const start = round * 65_536
      for (const index of [start + 20_000, start + 45_000]) {
        assert.deepStrictEqual(opened(unprotectRtp, protectedBy(protectRtp, soundPacket(index))), soundPacket(index))
      }
      const last = protectedBy(protectRtp, soundPacket(start + 65_535))
      const next = protectedBy(protectRtp, soundPacket(start + 65_536))
      assert.deepStrictEqual(opened(unprotectRtp, next), soundPacket(start + 65_536))
      assert.deepStrictEqual(opened(unprotectRtp, last), soundPacket(start + 65_535))
      assert.strictEqual(opened(unprotectRtp, last), "replay")
    }
  })

  it("in a first round that jumps by more than half are not taken for those of a round before", () => {
    const { protectRtp, unprotectRtp } = ends(key)
    for (const index of [3, 60_000]) {
      assert.deepStrictEqual(opened(unprotectRtp, protectedBy(protectRtp, soundPacket(index))), soundPacket(index))
    }
  })
})

describe("the estimate of an index", () => {
  it("is that of RFC 3711, appendix A, from the second round on", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 2 ** 16, max: 2 ** 47 }), FastCheck.nat(0xFFFF), (last, sequence) => {
        const window = makePacketWindow()
        window.add(last)
        const [rollOver, highest] = [Math.floor(last / 2 ** 16), last % 2 ** 16]
        const guess = highest < 32_768
          ? sequence - highest > 32_768 ? rollOver - 1 : rollOver
          : highest - 32_768 > sequence
          ? rollOver + 1
          : rollOver
        assert.strictEqual(window.estimate(sequence), guess * 2 ** 16 + sequence)
      })
    ))
})

describe("sources of one key", () => {
  it("have their own rounds, and their own windows", () => {
    const { protectRtp, unprotectRtp } = ends(key)
    for (let index = 0; index < 200_000; index += 25_000) {
      for (const [ssrc, at] of [[1, index], [0xFFFF_FFFF, index + 40_000]] as const) {
        const sealed = protectedBy(protectRtp, soundPacket(at, ssrc))
        assert.deepStrictEqual(opened(unprotectRtp, sealed), soundPacket(at, ssrc))
        assert.strictEqual(opened(unprotectRtp, sealed), "replay")
      }
    }
  })

  it("are forgotten by a receiver when there are too many, the silent ones first", () => {
    const { unprotectRtp } = ends(key)
    const talking = stream(0, 50, 1)
    const silent = stream(0, 1, 2)
    assert.strictEqual(fateOf(unprotectRtp, talking[0]), "taken")
    assert.strictEqual(fateOf(unprotectRtp, silent[0]), "taken")
    for (let other = 0; other < maxSources - 1; other++) {
      assert.strictEqual(fateOf(unprotectRtp, silent[0]), "replay")
      assert.strictEqual(fateOf(unprotectRtp, stream(0, 1, 3 + other)[0]), "taken")
      assert.strictEqual(fateOf(unprotectRtp, talking[other + 1]), "taken")
    }
    assert.strictEqual(fateOf(unprotectRtp, talking[0]), "replay")
    assert.strictEqual(fateOf(unprotectRtp, silent[0]), "taken")
  })

  it("are not remembered for packets that fail authentication", () => {
    const { unprotectRtp } = ends(key)
    const sealed = stream(0, 1)[0] ?? new Uint8Array()
    opened(unprotectRtp, sealed)
    for (let forged = 0; forged < 2 * maxSources; forged++) {
      const changed = sealed.slice()
      changed[11] = forged
      assert.strictEqual(opened(unprotectRtp, changed), "authentication")
    }
    assert.strictEqual(opened(unprotectRtp, sealed), "replay")
  })

  it("are never forgotten by a sender, which would use its keystream again", () => {
    const { protectRtcp, protectRtp } = ends(key)
    const into = new Uint8Array(100)
    for (let ssrc = 1; ssrc <= maxSources; ssrc++) protectedBy(protectRtp, soundPacket(0, ssrc))
    assert.strictEqual(protectRtp(soundPacket(0, 99), 32, into), "exhausted")
    assert.strictEqual(protectRtcp(rtcpPacket(99, new Uint8Array(20)), 28, into), "exhausted")
    assert.strictEqual(protectRtp(soundPacket(0, 1), 32, into), "replay")
    assert.strictEqual(protectRtp(soundPacket(1, 1), 32, into), 42)
  })
})
