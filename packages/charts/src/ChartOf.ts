import { Either } from "effect"
import type { Chart, NumberChart } from "./Chart.js"
import { type Column, findColumn } from "./Columns.js"
import { type NoPicture, unsuitable } from "./NoPicture.js"
import { numberIn } from "./Numbers.js"
import type { Picture, Table } from "./Picture.js"
import { plainText } from "./PlainText.js"
import { plotOf } from "./Plot.js"

/** The first column whose first row is a number. */
const numericColumn = (table: Table): Either.Either<Column, NoPicture> => {
  const index = table.columns.findIndex((_, index) => numberIn(table.rows[0]?.[index] ?? null) !== null)
  const name = table.columns[index]?.name
  return name === undefined
    ? Either.left(unsuitable("The first row of the result has no number"))
    : Either.right({ index, name: plainText(name) || `Column ${index + 1}` })
}

const numberOf = ({ table, title, viz_config: { value_column } }: Picture): Either.Either<NumberChart, NoPicture> =>
  Either.gen(function*() {
    const column = yield* typeof value_column === "string" && value_column !== ""
      ? findColumn(table, value_column)
      : numericColumn(table)
    const value = numberIn(table.rows[0]?.[column.index] ?? null)
    if (value === null) {
      return yield* Either.left(unsuitable(`The first row of the result has no number in "${column.name}"`))
    }
    return { kind: "number", title: plainText(title), name: column.name, value }
  })

/**
 * What is drawn of a table.
 *
 * - `number`: the first row of `value_column`, or of the first column that has a number there.
 * - `bar` and `line`: the columns of `y_axis` over the column `x_axis`, a row at a position: rows of the same category
 *   stand side by side, and nothing is added up. Names are those of the columns, or else those but for upper and lower
 *   case (shapes 7.3). Numbers and texts of numbers count; anything else is a gap. `MAX_SERIES`, `MAX_BARS` and
 *   `MAX_POINTS` bound what is drawn, and a note says so. Times on the x axis are shown in Indian Standard Time, and a
 *   line over them follows time, whatever the order of the rows.
 * - `table`: is none.
 *
 * Fails with `unsuitable` when there are no rows, no number, or not the columns that the settings name.
 */
export const chartOf = (picture: Picture): Either.Either<Chart, NoPicture> => {
  if (picture.viz_type === "table") return Either.left(unsuitable("A table is shown as it is, not as a chart"))
  if (picture.table.rows.length === 0) return Either.left(unsuitable("The result has no rows"))
  return picture.viz_type === "number" ? numberOf(picture) : plotOf(picture, picture.viz_type)
}
