import type { Database, Value } from "sql.js/dist/sql-wasm-inline.js"

interface Accumulator {
  readonly values: Array<number>
  fraction: number
}

const at = (sorted: ReadonlyArray<number>, position: number): number => sorted[position] ?? 0

const interpolate = (sorted: ReadonlyArray<number>, fraction: number): number => {
  const position = fraction * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return at(sorted, below) + (at(sorted, above) - at(sorted, below)) * (position - below)
}

const accumulate = (gatheredSums: Accumulator, value: Value, fraction: number): Accumulator => {
  gatheredSums.fraction = fraction
  if (typeof value === "number" || typeof value === "bigint") gatheredSums.values.push(Number(value))
  return gatheredSums
}

const sorted = ({ values }: Accumulator): ReadonlyArray<number> => values.toSorted((a, b) => a - b)

const percentileCont = (gatheredSums: Accumulator): number | null =>
  gatheredSums.values.length === 0 ? null : interpolate(sorted(gatheredSums), gatheredSums.fraction)

const percentileDisc = (gatheredSums: Accumulator): number | null =>
  gatheredSums.values.length === 0
    ? null
    : at(sorted(gatheredSums), Math.floor(gatheredSums.fraction * (gatheredSums.values.length - 1)))

const init = (): Accumulator => ({ values: [], fraction: 0 })

/** Adds `median`, `percentile`, `percentile_cont` and `percentile_disc`, which sql.js is built without. */
export const addPercentiles = (database: Database): Database =>
  database
    .create_aggregate("median", { init, step: (of, value) => accumulate(of, value, 0.5), finalize: percentileCont })
    .create_aggregate("percentile", {
      init,
      step: (of, value, percent) => accumulate(of, value, Number(percent) / 100),
      finalize: percentileCont
    })
    .create_aggregate("percentile_cont", {
      init,
      step: (of, value, fraction) => accumulate(of, value, Number(fraction)),
      finalize: percentileCont
    })
    .create_aggregate("percentile_disc", {
      init,
      step: (of, value, fraction) => accumulate(of, value, Number(fraction)),
      finalize: percentileDisc
    })
