import { assert, describe, it } from "@effect/vitest"
import { mulaw } from "@trunkline/audio"
import { makeBlockBuffers } from "../../src/recordings/BlockBuffers.js"
import { makeSoundBlocks, type SoundBlock } from "../../src/recordings/SoundBlocks.js"

const rate = 100
const tone = new Float32Array(50).fill(0.5)
const [loud = 0, silent = 0] = mulaw.encode(Float32Array.of(0.5, 0))
/** The same tone of the agent alone, as codes of both sides. */
const codes = Uint8Array.from({ length: 100 }, (_, at) => at % 2 === 0 ? silent : loud)

describe("blocks of sound", () => {
  it("have both sides turn by turn, and silence for a side that is not there", () => {
    const blocks: Array<SoundBlock> = []
    const { add, addCodes, flush } = makeSoundBlocks(
      { buffers: makeBlockBuffers(), rate },
      (block) => void blocks.push(block)
    )
    add(tone, tone, true)
    add(tone, null, true)
    add(tone, tone, false)
    addCodes(codes, true)
    addCodes(codes, false)
    flush()
    const [block] = blocks
    assert.deepStrictEqual(
      [...block?.bytes ?? []],
      [
        ...Array.from({ length: 50 }, () => [loud, loud]),
        ...Array.from({ length: 50 }, () => [loud, silent]),
        ...Array.from({ length: 50 }, () => [silent, silent]),
        ...Array.from({ length: 50 }, () => [silent, loud]),
        ...Array.from({ length: 50 }, () => [silent, silent])
      ].flat()
    )
    assert.isTrue(block?.hasSound)
  })

  it("hold nothing of an earlier block whose buffer they use", () => {
    const buffers = makeBlockBuffers()
    const blocks: Array<SoundBlock> = []
    const { add, addSilence, flush } = makeSoundBlocks({ buffers, rate }, (block) => void blocks.push(block))
    for (let time = 0; time < 4; time++) add(tone, tone, true)
    flush()
    const [first] = blocks
    buffers.release(first?.bytes ?? assert.fail("there is no block"))
    addSilence(500)
    addSilence(500)
    flush()
    const [, , second] = blocks
    assert.strictEqual(second?.bytes.buffer, first?.bytes.buffer)
    assert.deepStrictEqual(new Set(second?.bytes), new Set([silent]))
    assert.isFalse(second?.hasSound)
  })

  it("have all sound when the first one is shorter than the others", () => {
    const blocks: Array<SoundBlock> = []
    const { add, addCodes, flush } = makeSoundBlocks(
      { buffers: makeBlockBuffers(), rate, firstShare: 0.33 },
      (block) => void blocks.push(block)
    )
    const both = new Uint8Array(100).fill(loud)
    for (let time = 0; time < 15; time++) {
      if (time % 2 === 0) add(tone, tone, true)
      else addCodes(both, true)
    }
    flush()
    assert.deepStrictEqual(blocks.map(({ bytes }) => bytes.length), [330, 1_000, 170])
    assert.isTrue(blocks.every(({ bytes }) => bytes.every((byte) => byte === loud)))
  })
})
