import { macroTask } from "@trunkline/kernel"
import { Effect } from "effect"

/** Character pairs compared before yielding to the event loop: a millisecond or two of work. */
const pairsPerTurn = 200_000

const pointsOf = (text: string): Uint32Array => Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0)

/**
 * Character error rate of a transcript: the Levenshtein distance between the two texts in code points, divided by the
 * length of the expected one, at most 1. Long texts are compared in parts, yielding to the event loop between them.
 */
export const characterErrorRate = (expectedText: string, transcript: string): Effect.Effect<number> =>
  Effect.suspend(() => {
    const [expectedPoints, heardPoints] = [pointsOf(expectedText), pointsOf(transcript)]
    if (heardPoints.length >= 2 * expectedPoints.length) return Effect.succeed(heardPoints.length === 0 ? 0 : 1)
    return Effect.map(
      editDistance(expectedPoints, heardPoints),
      (distance) => Math.min(1, distance / expectedPoints.length)
    )
  })

/** Levenshtein distance, row by row. */
const editDistance = Effect.fnUntraced(function*(expectedPoints: Uint32Array, heardPoints: Uint32Array) {
  const rowsAtOnce = Math.ceil(pairsPerTurn / (heardPoints.length + 1))
  let row = Uint32Array.from({ length: heardPoints.length + 1 }, (_, column) => column)
  let next = new Uint32Array(row.length)
  for (const [index, point] of expectedPoints.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) yield* macroTask
    fillRow({ row, next, point, index, heardPoints })
    ;[row, next] = [next, row]
  }
  return row[heardPoints.length] ?? 0
})

const fillRow = (
  { heardPoints, index, next, point, row }: {
    readonly row: Uint32Array
    readonly next: Uint32Array
    readonly point: number
    readonly index: number
    readonly heardPoints: Uint32Array
  }
): void => {
  let left = index + 1
  let corner = index
  next[0] = left
  for (let column = 0; column < heardPoints.length; column++) {
    const up = row[column + 1] ?? 0
    left = Math.min(corner + (point === heardPoints[column] ? 0 : 1), up + 1, left + 1)
    next[column + 1] = left
    corner = up
  }
}
