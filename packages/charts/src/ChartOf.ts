import { Either } from "effect"
import type { Chart, NumberChart } from "./Chart.js"
import { type Column, findColumn } from "./Columns.js"
import { type NoPicture, unsuitable } from "./NoPicture.js"
import { LARGEST_NUMBER, readNumber, shortNumber } from "./Numbers.js"
import type { Picture, Table } from "./Picture.js"
import { plainText } from "./PlainText.js"
import { plotOf } from "./Plot.js"

const largest = shortNumber(LARGEST_NUMBER)

/** The first column whose first row is a number, of whatever size. */
const numericColumn = (table: Table): Either.Either<Column, NoPicture> => {
  const index = table.columns.findIndex((_, index) => {
    const read = readNumber(table.rows[0]?.[index] ?? null)
    return typeof read === "number" || read === "too large"
  })
  const name = table.columns[index]?.name
  return name === undefined
    ? Either.left(unsuitable("The first row of the result has no number"))
    : Either.right({ index, name: plainText(name) || `Column ${index + 1}` })
}

/** Why the first row has no number to draw in this column. */
const reasons = {
  absent: (name: string) => `The first row of the result has no number in "${name}"`,
  "no number": (name: string) => `The value in "${name}" in the first row of the result is not a number`,
  "too large": (name: string) =>
    `The number in "${name}" in the first row of the result is too large to draw: it is beyond ${largest}`
}

const numberOf = ({ table, title, viz_config: { value_column } }: Picture): Either.Either<NumberChart, NoPicture> =>
  Either.gen(function*() {
    const column = yield* typeof value_column === "string" && value_column !== ""
      ? findColumn(table, value_column)
      : numericColumn(table)
    const value = readNumber(table.rows[0]?.[column.index] ?? null)
    if (typeof value === "string") return yield* Either.left(unsuitable(reasons[value](column.name)))
    return { kind: "number", title: plainText(title), name: column.name, value }
  })

/**
 * What is drawn of a table.
 *
 * - `number`: the first row of `value_column`, or of the first column that has a number there.
 * - `bar` and `line`: the columns of `y_axis` over the column `x_axis`, a row at a position: rows of the same category
 *   stand side by side, and nothing is added up. Names are those of the columns, or else those but for upper and lower
 *   case (shapes 7.3). Numbers up to `LARGEST_NUMBER` and texts of such count; anything else is a gap, and a note says
 *   how many values are, unless they are absent. `MAX_SERIES`, `MAX_BARS` and `MAX_POINTS` bound what is drawn, and a
 *   note says so. Times on the x axis are shown in Indian Standard Time, and a line over them follows time, whatever the
 *   order of the rows.
 * - `table`: is none.
 *
 * Fails with `unsuitable` when there are no rows, no number, or not the columns that the settings name.
 */
export const chartOf = (picture: Picture): Either.Either<Chart, NoPicture> => {
  if (picture.viz_type === "table") return Either.left(unsuitable("A table is shown as it is, not as a chart"))
  if (picture.table.rows.length === 0) return Either.left(unsuitable("The result has no rows"))
  return picture.viz_type === "number" ? numberOf(picture) : plotOf(picture, picture.viz_type)
}
