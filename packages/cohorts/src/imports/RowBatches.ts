import { BusinessTime, macroTask } from "@trunkline/kernel"
import { Cause, Effect, Option, type Scope, Stream } from "effect"
import type { Cells } from "../csv/Csv.js"

/** Maximum rows in a batch. */
const batchRows = 1000

/** Characters that end a batch. Its last row may exceed them. */
const batchCharacters = 1_000_000

const charactersOf = (cells: Cells): number => {
  let characters = 0
  for (const cell of cells) characters += cell.length
  return characters
}

/** Pulls a stream of rows in batches, twice as fast as an operator of streams would. */
export const rowBatches = <E>(
  rows: Stream.Stream<Cells, E>
): Effect.Effect<Effect.Effect<ReadonlyArray<Cells>, Option.Option<E>>, never, Scope.Scope> =>
  Effect.map(Stream.toPull(rows), (pull) => {
    let buffer: Array<Cells> = []
    let characters = 0
    let isEnded = false

    const fill = Effect.matchCauseEffect(pull, {
      onSuccess: (chunk) =>
        Effect.sync(() => {
          for (const cells of chunk) {
            buffer.push(cells)
            characters += charactersOf(cells)
          }
        }),
      onFailure: (cause) =>
        Option.contains(Cause.failureOption(cause), Option.none())
          ? Effect.sync(() => void (isEnded = true))
          : Effect.failCause(cause)
    })

    const takeBatch = (): ReadonlyArray<Cells> => {
      let count = 0
      for (let totalLength = 0; count < Math.min(buffer.length, batchRows) && totalLength < batchCharacters; count++) {
        const length = charactersOf(buffer[count] ?? [])
        totalLength += length
        characters -= length
      }
      const batch = buffer.slice(0, count)
      buffer = buffer.slice(count)
      return batch
    }

    return Effect.gen(function*() {
      while (!isEnded && buffer.length < batchRows && characters < batchCharacters) yield* fill
      return buffer.length === 0 ? yield* Effect.fail(Option.none()) : takeBatch()
    })
  })

/** Yields to the event loop while business time stands still. */
export const pause = BusinessTime.hold(macroTask)
