import { assert, describe, it } from "@effect/vitest"
import { concatBytes, inPieces } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck, Stream } from "effect"

const pieces = (parts: Iterable<Uint8Array>, size: number) =>
  Effect.map(Stream.runCollect(inPieces(Stream.fromIterable(parts), size)), (all) => Array.from(all))

describe("inPieces", () => {
  it.effect.prop(
    "makes pieces of one size and a shorter last one, with the same bytes",
    [
      FastCheck.array(FastCheck.uint8Array({ maxLength: 50 }), { maxLength: 20 }),
      FastCheck.integer({ min: 1, max: 60 })
    ],
    ([parts, size]) =>
      Effect.gen(function*() {
        const cut = yield* pieces(parts, size)
        assert.deepStrictEqual(concatBytes(cut), concatBytes(parts))
        assert.isTrue(cut.slice(0, -1).every((piece) => piece.length === size))
        assert.isTrue(cut.every((piece) => piece.length > 0 && piece.length <= size))
      }),
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it.effect("cuts a large part, whose buffer may be used again", () =>
    Effect.gen(function*() {
      const reused = new Uint8Array(100_000).fill(1)
      const cut = yield* pieces([reused], 40_000)
      reused.fill(0)
      assert.deepStrictEqual(cut.map((piece) => piece.length), [40_000, 40_000, 20_000])
      assert.isTrue(cut.every((piece) => piece.every((byte) => byte === 1)))
    }))

  it.effect("begins anew each time that the stream runs", () =>
    Effect.gen(function*() {
      const stream = inPieces(Stream.make(Uint8Array.of(1, 2, 3)), 2)
      for (const time of ["first", "second"]) {
        assert.deepStrictEqual(
          Array.from(yield* Stream.runCollect(stream)),
          [Uint8Array.of(1, 2), Uint8Array.of(3)],
          time
        )
      }
    }))
})
