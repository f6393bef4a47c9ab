import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { formatUuidV4, formatUuidV7, initialUuidV7, nextUuidV7 } from "../../src/ids/Ids.js"

const bits = (count: number) => FastCheck.maxSafeNat().map((value) => value % 2 ** count)

describe("UUIDs", () => {
  it("have the correct version and variant", () => {
    assert.strictEqual(formatUuidV4([0, 0, 0, 0]), "00000000-0000-4000-8000-000000000000")
    assert.strictEqual(
      formatUuidV4([2 ** 48 - 1, 2 ** 12 - 1, 2 ** 14 - 1, 2 ** 48 - 1]),
      "ffffffff-ffff-4fff-bfff-ffffffffffff"
    )
    assert.strictEqual(formatUuidV7({ at: 1, counter: 2 ** 14 }, 2), "00000000-0001-7001-8000-000000000002")
    assert.strictEqual(
      formatUuidV7({ at: 2 ** 48 - 1, counter: 2 ** 26 - 1 }, 2 ** 48 - 1),
      "ffffffff-ffff-7fff-bfff-ffffffffffff"
    )
  })

  it("move on to the next millisecond when the counter is full", () =>
    assert.deepStrictEqual(nextUuidV7({ at: 5, counter: 2 ** 26 - 1 }, 5, 7), { at: 6, counter: 0 }))

  it.prop("of version 7 sort in order of creation, even when the time goes back", [
    FastCheck.array(FastCheck.tuple(FastCheck.nat(1_000), bits(25), bits(48)))
  ], ([draws]) => {
    let state = initialUuidV7
    const made = draws.map(([now, start, tail]) => {
      state = nextUuidV7(state, now, start)
      return formatUuidV7(state, tail)
    })
    assert.deepStrictEqual([...made].sort(), made)
    assert.strictEqual(new Set(made).size, made.length)
  })
})
