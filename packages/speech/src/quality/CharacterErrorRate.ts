import { macroTask } from "@trunkline/kernel"
import { Effect } from "effect"

/** Pairs of characters that are compared without a pause: a millisecond or two' work. */
const atOnce = 200_000

const pointsOf = (text: string): Uint32Array => Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0)

/**
 * The share of characters (code points) that were heard wrong: how many must be changed, left out or added, at the least,
 * until one text is the other, by those expected; at most 1. Long texts are compared in parts, so that others get their
 * turn.
 */
export const characterErrorRate = (expected: string, heard: string): Effect.Effect<number> =>
  Effect.suspend(() => {
    const [wanted, got] = [pointsOf(expected), pointsOf(heard)]
    if (got.length >= 2 * wanted.length) return Effect.succeed(got.length === 0 ? 0 : 1)
    return Effect.map(editDistance(wanted, got), (distance) => Math.min(1, distance / wanted.length))
  })

/** Levenshtein's distance, row by row. */
const editDistance = Effect.fnUntraced(function*(wanted: Uint32Array, got: Uint32Array) {
  const rowsAtOnce = Math.ceil(atOnce / (got.length + 1))
  let row = Uint32Array.from({ length: got.length + 1 }, (_, column) => column)
  let next = new Uint32Array(row.length)
  for (const [index, point] of wanted.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) yield* macroTask
    fillRow({ row, next, point, index, got })
    ;[row, next] = [next, row]
  }
  return row[got.length] ?? 0
})

const fillRow = (
  { got, index, next, point, row }: {
    readonly row: Uint32Array
    readonly next: Uint32Array
    readonly point: number
    readonly index: number
    readonly got: Uint32Array
  }
): void => {
  let left = index + 1
  let corner = index
  next[0] = left
  for (let column = 0; column < got.length; column++) {
    const up = row[column + 1] ?? 0
    left = Math.min(corner + (point === got[column] ? 0 : 1), up + 1, left + 1)
    next[column + 1] = left
    corner = up
  }
}
