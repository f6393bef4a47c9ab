import { Duration, Effect } from "effect"

/** Fewest and most rows of a transaction. */
const [fewest, most] = [512, 2_048]

/** Times of a transaction below which the next one gets more rows, and above which it gets fewer, in milliseconds. */
const [short, long] = [12, 30]

/**
 * The number of rows per transaction of a bulk step. It follows the time that transactions take, because dials wait for
 * them: rows whose numbers are in order cost a tenth of those in no order, which change as many pages as there are rows.
 */
export class BulkRows {
  #rows = fewest

  /** Runs a transaction with some rows, and adapts their number for the next one. */
  readonly run = <A, E, R>(transaction: (rows: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() =>
      Effect.map(Effect.timed(transaction(this.#rows)), ([time, result]) => {
        const millis = Duration.toMillis(time)
        if (millis < short) this.#rows = Math.min(this.#rows * 2, most)
        if (millis > long) this.#rows = Math.max(this.#rows / 2, fewest)
        return result
      })
    )
}
