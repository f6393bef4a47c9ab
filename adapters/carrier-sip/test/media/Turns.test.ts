import { assert, describe, it } from "@effect/vitest"
import { frameSamples } from "@trunkline/audio"
import { FastCheck } from "effect"
import { makeFrameRing, wideFrameSamples } from "../../src/media/frames/FrameRing.js"
import type { WheelTurn } from "../../src/media/frames/MediaMessages.js"
import { makeTurnBatch, makeTurnReader } from "../../src/media/frames/Turns.js"

/** A batch whose messages wait until they are read, and what was read of them. */
const world = (frames: number, onFrame: (call: number) => void = () => undefined) => {
  const ring = makeFrameRing(frames)
  const waiting: Array<WheelTurn> = []
  const read: Array<string> = []
  let count = 0
  const batch = makeTurnBatch(ring, (turn) => waiting.push(turn))
  const readTurn = makeTurnReader(ring, {
    onEvent: (event) => read.push(event._tag === "Pressed" ? event.digit : ""),
    onFrame: (call, samples, { isConcealed, isEarly }) => {
      const kind = `${isEarly ? " early" : ""}${isConcealed ? " concealed" : ""}`
      const width = samples.length === wideFrameSamples ? " wide" : ""
      read.push(`${call}${kind}: ${samples[0]} to ${samples[samples.length - 1]}${width}`)
      onFrame(call)
    }
  })
  return {
    ring,
    waiting,
    read,
    batch,
    addFrame: () => {
      count += 1
      const sound = new Float32Array(count % 5 === 0 ? wideFrameSamples : frameSamples).fill(count)
      batch.addFrame(7, sound, { isConcealed: count % 2 === 0, isEarly: count % 3 === 0 })
    },
    readNext: () => {
      const next = waiting.shift()
      if (next !== undefined) readTurn(next)
    },
    expected: () =>
      Array.from({ length: count }, (_, index) => {
        const at = index + 1
        const kind = `${at % 3 === 0 ? " early" : ""}${at % 2 === 0 ? " concealed" : ""}`
        return `7${kind}: ${at} to ${at}${at % 5 === 0 ? " wide" : ""}`
      })
  }
}

/** Steps of both threads, in which frames are most frequent and reading is seldom. */
const steps: ReadonlyArray<"frame" | "flush" | "read"> = ["frame", "frame", "frame", "flush", "flush", "read"]

describe("frames on their way between threads", () => {
  it("arrive once and in order, however seldom they are read", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.constantFrom(...steps), { maxLength: 120 }),
      FastCheck.constantFrom(1, 2, 8),
      (taken, size) => {
        const { addFrame, batch, expected, read, readNext, waiting } = world(size)
        const perform = { frame: addFrame, flush: batch.flush, read: readNext }
        for (const step of taken) perform[step]()
        batch.flush()
        while (waiting.length > 0) readNext()
        assert.deepStrictEqual(read, expected())
      }
    )))

  it("need one message while nothing is read, and no memory beside the ring", () => {
    const { addFrame, batch, expected, read, readNext, waiting } = world(64)
    for (let turn = 0; turn < 30; turn++) {
      addFrame()
      batch.flush()
    }
    assert.deepStrictEqual(waiting, [{ _tag: "Turn", events: [], frames: null }])
    readNext()
    assert.deepStrictEqual(read, expected())
    batch.flush()
    assert.deepStrictEqual(waiting, [])
    addFrame()
    batch.flush()
    assert.lengthOf(waiting, 1)
  })

  it("are counted by numbers that wrap", () => {
    const { addFrame, batch, expected, read, readNext, ring } = world(4)
    ring.control.fill(0x7FFF_FFFE, 0, 2)
    for (let turn = 0; turn < 10; turn++) {
      addFrame()
      batch.flush()
      readNext()
    }
    assert.deepStrictEqual(read, expected())
  })

  it("are given to a listener that keeps or breaks their array, or fails", () => {
    const failing = world(4, () => {
      throw new Error("The listener failed")
    })
    for (let turn = 0; turn < 2; turn++) failing.addFrame()
    failing.batch.flush()
    assert.throws(failing.readNext)
    failing.addFrame()
    failing.batch.flush()
    assert.throws(failing.readNext)
    assert.deepStrictEqual(failing.read, failing.expected().slice(0, 2))

    const ring = makeFrameRing(4)
    const frames: Array<Float32Array> = []
    const messages: Array<WheelTurn> = []
    const batch = makeTurnBatch(ring, (turn) => messages.push(turn))
    const readTurn = makeTurnReader(ring, {
      onEvent: () => undefined,
      onFrame: (_, samples) => {
        const { buffer } = samples
        if (buffer instanceof ArrayBuffer) frames.push(structuredClone(samples, { transfer: [buffer] }))
      }
    })
    for (const value of [1, 2]) {
      batch.addFrame(1, new Float32Array(frameSamples).fill(value), { isConcealed: false, isEarly: false })
    }
    batch.flush()
    for (const message of messages) readTurn(message)
    assert.deepStrictEqual(frames.map(([first]) => first), [1, 2])
  })

  it("come with the events of their turns", () => {
    const { addFrame, batch, read, readNext, waiting } = world(4)
    batch.addEvent({ _tag: "Pressed", call: 7, digit: "5" })
    batch.flush()
    addFrame()
    batch.addEvent({ _tag: "Pressed", call: 7, digit: "6" })
    batch.flush()
    assert.lengthOf(waiting, 2)
    readNext()
    readNext()
    assert.deepStrictEqual(read, ["5", "7: 1 to 1", "6"])
  })
})
