import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makePackets } from "../src/Packets.js"
import { makeRecentSound } from "../src/RecentSound.js"

const lengths = FastCheck.array(FastCheck.integer({ min: 0, max: 40 }), { maxLength: 30 })

/** Numbers each sample, so that order and gaps show. */
const numbered = (from: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => (from + at) / 32_768)

const numbersIn = (packets: ReadonlyArray<Uint8Array>): ReadonlyArray<number> =>
  packets.flatMap((packet) =>
    Array.from({ length: packet.length / 2 }, (_, at) => Buffer.from(packet).readInt16LE(2 * at))
  )

describe("packets", () => {
  it.prop("hold all samples in order, whole ones until the flush", [lengths], ([lengths]) => {
    const packets: Array<Uint8Array> = []
    const { flush, push } = makePackets(16, (bytes) => packets.push(bytes))
    let total = 0
    for (const length of lengths) {
      push(numbered(total, length))
      total += length
    }
    assert.isTrue(packets.every(({ length }) => length === 32))
    flush()
    assert.deepStrictEqual(numbersIn(packets), Array.from({ length: total }, (_, at) => at))
  })
})

describe("recent sound", () => {
  it.prop("is the end of the sound, as long as allowed", [lengths, FastCheck.nat(1_500)], ([lengths, position]) => {
    const sound = makeRecentSound(100)
    const { push } = makePackets(16, sound.add)
    lengths.forEach((length) => push(numbered(0, length)))
    const end = sound.end()
    const { from, packets } = sound.since(position)
    assert.strictEqual(from, Math.min(end, Math.max(position, end - 100)))
    assert.lengthOf(numbersIn(packets), end - from)
  })
})
