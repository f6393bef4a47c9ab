import type { Database, Value } from "sql.js/dist/sql-wasm-inline.js"

interface Accumulator {
  readonly values: Array<number>
  fraction: number
}

const at = (numbers: ReadonlyArray<number>, position: number): number => numbers[position] ?? 0

const interpolate = (numbers: ReadonlyArray<number>, fraction: number): number => {
  const position = fraction * (numbers.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, numbers.length - 1)
  return at(numbers, below) + (at(numbers, above) - at(numbers, below)) * (position - below)
}

const accumulate = (gatheredSums: Accumulator, value: Value, fraction: number): Accumulator => {
  gatheredSums.fraction = fraction
  if (typeof value === "number" || typeof value === "bigint") gatheredSums.values.push(Number(value))
  return gatheredSums
}

const sortValues = ({ values }: Accumulator): ReadonlyArray<number> => values.toSorted((a, b) => a - b)

const percentileCont = (gatheredSums: Accumulator): number | null =>
  gatheredSums.values.length === 0 ? null : interpolate(sortValues(gatheredSums), gatheredSums.fraction)

const percentileDisc = (gatheredSums: Accumulator): number | null =>
  gatheredSums.values.length === 0
    ? null
    : at(sortValues(gatheredSums), Math.floor(gatheredSums.fraction * (gatheredSums.values.length - 1)))

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
