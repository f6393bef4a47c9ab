import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { makeMediaClock } from "../../src/media/MediaClock.js"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
afterEach(() => void vi.useRealTimers())

/** Beats of some streams, with their times. */
const streams = (count: number) => {
  const clock = makeMediaClock()
  const times = Array.from({ length: count }, () => Array<number>())
  const stops = times.map((list) => clock.every((now) => list.push(now)))
  return { clock, stops, times }
}

describe("the beat of streams", () => {
  it("comes to each every 20 ms, and to four one after the other", () => {
    const { times } = streams(8)
    vi.advanceTimersByTime(1_000)
    for (const list of times) {
      assert.isAtLeast(list.length, 49)
      assert.isAtMost(list.length, 50)
      list.slice(1).forEach((at, index) => assert.closeTo(at - (list[index] ?? 0), 20, 1))
    }
    const phases = times.map((list) => Math.round((list[1] ?? 0) / 5) % 4)
    assert.deepStrictEqual(phases.toSorted(), [0, 0, 1, 1, 2, 2, 3, 3])
  })

  it("is made once for a time in which the process did nothing", () => {
    const { times } = streams(4)
    vi.advanceTimersByTime(100)
    const before = times.map(({ length }) => length)
    vi.setSystemTime(Date.now())
    const late = performance.now() + 500
    vi.spyOn(performance, "now").mockImplementation(() => late)
    vi.advanceTimersByTime(5)
    assert.deepStrictEqual(times.map(({ length }, index) => length - (before[index] ?? 0)), [1, 1, 1, 1])
    vi.restoreAllMocks()
  })

  it("rests without streams, and begins again with the next", () => {
    const { clock, stops, times } = streams(2)
    stops.forEach((stop) => stop())
    vi.advanceTimersByTime(200)
    assert.deepStrictEqual(times, [[], []])
    assert.strictEqual(vi.getTimerCount(), 0)
    let beats = 0
    const stop = clock.every(() => beats += 1)
    vi.advanceTimersByTime(200)
    assert.closeTo(beats, 10, 1)
    stop()
    assert.strictEqual(vi.getTimerCount(), 0)
  })
})
