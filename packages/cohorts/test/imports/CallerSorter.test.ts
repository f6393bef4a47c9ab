import { assert, describe, it } from "@effect/vitest"
import { PhoneNumber, unchecked } from "@trunkline/kernel"
import { FastCheck } from "effect"
import { CallerSorter } from "../../src/imports/CallerSorter.js"

const phoneOf = (digits: number) => PhoneNumber.make(`+${digits}`, unchecked)

/** Sorts numbers, in the order of their rows, and returns the batches. */
const sorted = (numbers: ReadonlyArray<number>, size: number) => {
  const sorter = new CallerSorter()
  numbers.forEach((digits, index) => sorter.add(phoneOf(digits), index + 1))
  return [...sorter.batches(size)]
}

const expected = (numbers: ReadonlyArray<number>) =>
  numbers.map((digits, index) => ({ digits, row: index + 1 }))
    .toSorted((a, b) => a.digits - b.digits)
    .map(({ digits, row }) => ({ user_phone_number: phoneOf(digits), row }))

describe("CallerSorter", () => {
  it("returns each number with its row, in ascending order, whatever the lengths of the numbers", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.uniqueArray(FastCheck.integer({ min: 1_000_000, max: 999_999_999_999_999 })),
        (numbers) => assert.deepStrictEqual(sorted(numbers, 7).flat(), expected(numbers))
      )
    ))

  it("merges more numbers than it sorts at a time", () => {
    const numbers = Array.from({ length: 40_000 }, (_, index) => 916_000_000_000 + (index * 7_919) % 40_009)
    assert.deepStrictEqual(sorted(numbers, 1000).flat(), expected(numbers))
  })

  it("returns batches of the given size, and the rest", () => {
    assert.deepStrictEqual(sorted([9_876_543, 1_234_567, 5_555_555], 2).map((batch) => batch.length), [2, 1])
    assert.deepStrictEqual(sorted([], 2), [])
  })
})
