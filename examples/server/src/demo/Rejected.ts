import { parseString } from "fast-csv"

/** One readable line for each row of a `rejected_records` file. The reason is the last cell, behind surplus ones. */
export const rejectedLines = (csv: string): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const lines: Array<string> = []
    parseString<Array<string>, Array<string>>(csv, { skipRows: 1 })
      .on("error", reject)
      .on("data", (row: Array<string>) => {
        const [id, name] = row
        lines.push(`${[id, name].filter((cell) => cell !== undefined && cell !== "").join(" ")}: ${row.at(-1) ?? ""}`)
      })
      .on("end", () => resolve(lines))
  })
