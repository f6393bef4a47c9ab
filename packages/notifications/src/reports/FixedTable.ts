/** Characters that take the room of two in a fixed-width font: East Asian ones and most pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Marks above and below others, and joiners: they take no room of their own. */
const unseen = /[\p{Mn}\p{Me}\p{Cf}]/u

/** How many places a line takes in a fixed-width font. */
export const displayWidth = (text: string): number => {
  let width = 0
  for (const character of text) {
    width += character < "\u0300"
      ? 1
      : unseen.test(character)
      ? 0
      : wide.test(character)
      ? 2
      : 1
  }
  return width
}

const padded = (text: string, width: number, toRight: boolean): string => {
  const room = " ".repeat(Math.max(width - displayWidth(text), 0))
  return toRight ? room + text : text + room
}

/** A column of a table in fixed width. */
export interface FixedColumn {
  readonly name: string
  /** Whether it stands to the right, as numbers do. */
  readonly numeric: boolean
}

/** The widths of columns that hold these rows and their own names. */
export const columnWidths = (
  columns: ReadonlyArray<FixedColumn>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<number> =>
  columns.map(({ name }, index) =>
    rows.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? "")), displayWidth(name))
  )

/** The lines of a table in fixed width: names, a rule, rows. */
export const fixedTable = (
  columns: ReadonlyArray<FixedColumn>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const widths = columnWidths(columns, rows)
  const line = (cells: ReadonlyArray<string>) =>
    columns.map(({ numeric }, index) => padded(cells[index] ?? "", widths[index] ?? 0, numeric)).join("  ").trimEnd()
  return [
    line(columns.map(({ name }) => name)),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...rows.map(line)
  ]
}
