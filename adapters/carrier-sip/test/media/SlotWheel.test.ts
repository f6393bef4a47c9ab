import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeSlotWheel } from "../../src/media/SlotWheel.js"

interface Ticked {
  readonly entry: string
  readonly at: number
  /** Ticks that were left out; 0 for one that ran. */
  readonly skipped: number
}

const makeWheel = (now = 1_000) => {
  const ticked: Array<Ticked> = []
  const wheel = makeSlotWheel<string>({
    now,
    onTick: (entry, at) => ticked.push({ entry, at, skipped: 0 }),
    onSkip: (entry, skipped, at) => ticked.push({ entry, at, skipped })
  })
  return { wheel, take: () => ticked.splice(0) }
}

const times = (ticked: ReadonlyArray<Ticked>, entry: string) =>
  ticked.filter((tick) => tick.entry === entry).map(({ at }) => at)

describe("a slot wheel", () => {
  it("ticks every 20 ms at absolute times, however late each turn is", () => {
    const { take, wheel } = makeWheel()
    wheel.add("a")
    for (const late of [0, 7, 3, 19, 0, 1]) {
      const next = wheel.next() ?? 0
      wheel.advance(next + late)
    }
    assert.deepStrictEqual(times(take(), "a"), [1_004, 1_024, 1_044, 1_064, 1_084, 1_104])
  })

  it("spreads its entries over slots that are 4 ms apart", () => {
    const { take, wheel } = makeWheel()
    for (let index = 0; index < 40; index++) wheel.add(String(index))
    for (let now = 1_001; now <= 1_020; now++) {
      wheel.advance(now)
      assert.strictEqual(take().length, now % 4 === 0 ? 8 : 0)
    }
  })

  it("makes up for ticks that are up to 60 ms late, in order", () => {
    const { take, wheel } = makeWheel()
    wheel.add("a")
    wheel.add("b")
    wheel.advance(1_060.9)
    assert.deepStrictEqual(take().map(({ at, entry }) => `${entry}${at}`), [
      "a1004",
      "b1008",
      "a1024",
      "b1028",
      "a1044",
      "b1048"
    ])
  })

  it("never bursts: after a longer standstill only the last tick of each entry runs", () => {
    const { take, wheel } = makeWheel()
    wheel.add("a")
    wheel.add("b")
    wheel.advance(1_004)
    take()
    wheel.advance(1_500)
    assert.deepStrictEqual(take(), [
      { entry: "a", at: 1_464, skipped: 23 },
      { entry: "b", at: 1_468, skipped: 24 },
      { entry: "a", at: 1_484, skipped: 0 },
      { entry: "b", at: 1_488, skipped: 0 }
    ])
  })

  it("accounts for each tick of an entry exactly once, whatever the machine does", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.double({ min: 0, max: 300, noNaN: true }), { maxLength: 60 }),
      (pauses) => {
        const { take, wheel } = makeWheel()
        wheel.add("a")
        let now = 1_000
        for (const pause of pauses) {
          now += pause
          wheel.advance(now)
          const ticks = take()
          assert.isAtMost(ticks.filter(({ skipped }) => skipped === 0).length, 4)
        }
        wheel.advance(now)
        const before = wheel.next() ?? 0
        assert.strictEqual((before - 1_004) % 20, 0)
        assert.isAbove(before, now - 1)
      }
    )))

  it("counts as many ticks as time has passed, left out or not", () => {
    const { take, wheel } = makeWheel()
    wheel.add("a")
    for (let now = 1_000; now < 11_000; now += now % 7 * 31 + 1) wheel.advance(now)
    wheel.advance(11_000)
    const count = take().reduce((sum, { skipped }) => sum + Math.max(1, skipped), 0)
    assert.strictEqual(count, 500)
  })

  it("does not tick before its time, nor without entries, nor after they are removed", () => {
    const { take, wheel } = makeWheel()
    assert.isNull(wheel.next())
    wheel.advance(5_000)
    wheel.add("a")
    wheel.add("b")
    assert.strictEqual(wheel.next(), 5_004)
    wheel.advance(5_003.9)
    assert.deepStrictEqual(take(), [])
    wheel.remove("a")
    wheel.advance(5_030)
    assert.deepStrictEqual(times(take(), "b"), [5_008, 5_028])
    wheel.remove("b")
    assert.isNull(wheel.next())
  })
})
