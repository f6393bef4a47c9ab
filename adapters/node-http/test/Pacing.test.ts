import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { makePacing, type PaceBody } from "../src/Pacing.js"

/** A request that counts how often its parser is told to read on. */
const paced = (pace: PaceBody) => {
  let reads = 0
  const request = new IncomingMessage(new Socket())
  request._read = () => void reads++
  pace(request)
  return {
    /** Lets a piece arrive. True when the parser may read on at once. */
    arrives: (bytes: number) => {
      const before = reads
      const isWanted = request.push(Buffer.alloc(bytes))
      request.read()
      request._read(0)
      return isWanted && reads > before
    },
    reads: () => reads
  }
}

describe("pacing", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("reads a body in pieces of a usual size at once", () => {
    const body = paced(makePacing())
    for (let piece = 0; piece < 500; piece++) assert.isTrue(body.arrives(1_400))
  })

  it("reads a body of a few small pieces at once", () => {
    const body = paced(makePacing())
    for (let piece = 0; piece < 32; piece++) assert.isTrue(body.arrives(1))
  })

  it("reads a body that arrives byte by byte ten times a second", () => {
    const body = paced(makePacing())
    for (let piece = 0; piece < 32; piece++) body.arrives(1)
    for (let turn = 0; turn < 20; turn++) {
      assert.isFalse(body.arrives(1))
      const before = body.reads()
      vi.advanceTimersByTime(99)
      assert.strictEqual(body.reads(), before)
      vi.advanceTimersByTime(2)
      assert.strictEqual(body.reads(), before + 1)
    }
  })

  it("shares the time for many small pieces among all bodies", () => {
    const pace = makePacing()
    const bodies = [paced(pace), paced(pace)]
    for (const body of bodies) {
      for (let piece = 0; piece < 32 + 8_000; piece++) body.arrives(100)
    }
    const before = bodies.map(({ reads }) => reads())
    vi.advanceTimersByTime(390)
    assert.deepStrictEqual(bodies.map(({ reads }) => reads()), [(before[0] ?? 0) + 1, before[1]])
    vi.advanceTimersByTime(20)
    assert.strictEqual(bodies[1]?.reads(), (before[1] ?? 0) + 1)
  })
})
