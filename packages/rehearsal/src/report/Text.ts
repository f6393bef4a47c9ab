/** A number with commas between its thousands, rounded to a whole one. */
export const whole = (value: number): string => Math.round(value).toString().replaceAll(/\B(?=(?:\d{3})+$)/g, ",")

/** So many things: `1 call`, `2,000 calls`. */
export const so = (count: number, thing: string): string => `${whole(count)} ${thing}${count === 1 ? "" : "s"}`

/** Rows of equally many columns, aligned: columns whose cells are all numbers to the right, others to the left. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? "")) ?? []
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)))
  const numeric = columns.map((cells) =>
    cells.filter((cell) => !/^[\d,.]+$/.test(cell)).length <= 1 && cells.length > 1
  )
  return rows.map((row) =>
    `  ${
      row.map((cell, column) =>
        numeric[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      ).join("  ")
    }`.trimEnd()
  )
}

/** A label, the number that its bar shows, and what stands after it. */
export type Cells = readonly [label: string, value: number, note: string]

const longest = 40

/** Bars of which the longest has 40 characters; whatever is not nothing has one. */
export const bars = (rows: ReadonlyArray<Cells>): ReadonlyArray<string> => {
  const most = Math.max(1, ...rows.map(([, value]) => value))
  const labels = Math.max(0, ...rows.map(([label]) => label.length))
  const numbers = Math.max(0, ...rows.map(([, value]) => whole(value).length))
  const notes = Math.max(0, ...rows.map(([, , note]) => note.length))
  return rows.map(([label, value, note]) => {
    const bar = "#".repeat(value === 0 ? 0 : Math.max(1, Math.round(longest * value / most)))
    return `  ${label.padEnd(labels)}  ${whole(value).padStart(numbers)}  ${note.padStart(notes)}  ${bar}`.trimEnd()
  })
}
