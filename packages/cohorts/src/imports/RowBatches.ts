import { Cause, Effect, Option, type Scope, Stream } from "effect"
import type { Cells } from "../csv/CsvReader.js"

/** The most rows that are kept together. */
const batchRows = 1000

/** The most characters that they may have, unless a single row has more. */
const batchCharacters = 1_000_000

const charactersOf = (cells: Cells): number => {
  let characters = 0
  for (const cell of cells) characters += cell.length
  return characters
}

/** Takes a stream of rows in batches. Pulling is twice as fast as another stage of the stream would be. */
export const rowBatches = <E>(
  rows: Stream.Stream<Cells, E>
): Effect.Effect<Effect.Effect<ReadonlyArray<Cells>, Option.Option<E>>, never, Scope.Scope> =>
  Effect.map(Stream.toPull(rows), (pull) => {
    let waiting: Array<Cells> = []
    let characters = 0
    let ended = false

    const fill = Effect.matchCauseEffect(pull, {
      onSuccess: (chunk) =>
        Effect.sync(() => {
          for (const cells of chunk) {
            waiting.push(cells)
            characters += charactersOf(cells)
          }
        }),
      onFailure: (cause) =>
        Option.contains(Cause.failureOption(cause), Option.none())
          ? Effect.sync(() => void (ended = true))
          : Effect.failCause(cause)
    })

    const cut = (): ReadonlyArray<Cells> => {
      let count = 0
      for (let taken = 0; count < Math.min(waiting.length, batchRows) && taken < batchCharacters; count++) {
        const length = charactersOf(waiting[count] ?? [])
        taken += length
        characters -= length
      }
      const batch = waiting.slice(0, count)
      waiting = waiting.slice(count)
      return batch
    }

    return Effect.gen(function*() {
      while (!ended && waiting.length < batchRows && characters < batchCharacters) yield* fill
      return waiting.length === 0 ? yield* Effect.fail(Option.none()) : cut()
    })
  })
