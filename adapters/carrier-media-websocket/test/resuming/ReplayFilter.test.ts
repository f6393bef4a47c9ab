import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { makeReplayFilter } from "../../src/relay/ReplayFilter.js"

/** Events that are new after a replay of some. */
const freshOf = (arrived: ReadonlyArray<string>, events: ReadonlyArray<string>): ReadonlyArray<string> => {
  const filter = makeReplayFilter(arrived)
  return [...events.flatMap(filter.push), ...filter.release()]
}

describe("a replay", () => {
  it("is left out as far as it had arrived", () => {
    assert.deepStrictEqual(freshOf(["a", "b", "c"], ["b", "c", "d"]), ["d"])
    assert.deepStrictEqual(freshOf(["a", "b", "c"], ["c"]), [])
    assert.deepStrictEqual(freshOf(["yes", "yes"], ["yes", "yes", "no"]), ["no"])
  })

  it("is kept where it only repeats words from the middle of what had arrived", () => {
    assert.deepStrictEqual(freshOf(["yes", "a", "b"], ["yes"]), ["yes"])
    assert.deepStrictEqual(freshOf(["yes", "a", "b"], ["yes", "c"]), ["yes", "c"])
    assert.deepStrictEqual(freshOf(["a", "b", "a", "c"], ["a", "b"]), ["a", "b"])
    assert.deepStrictEqual(freshOf([], ["a", "a"]), ["a", "a"])
  })

  it("brings all new events in order, whatever part of the end is sent again", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.uniqueArray(FastCheck.string(), { maxLength: 12 }),
        FastCheck.nat(12),
        FastCheck.nat(12),
        (events, arrivedCount, again) => {
          const arrived = events.slice(0, arrivedCount)
          const from = Math.max(0, arrived.length - again)
          assert.deepStrictEqual(freshOf(arrived, events.slice(from)), events.slice(arrived.length))
        }
      ),
      { numRuns: propertyRuns(1_000) }
    ))
})
