import { parseString } from "fast-csv"

/** One readable line for each row of a `rejected_records` file. */
export const rejectedLines = (csv: string): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const lines: Array<string> = []
    parseString<Record<string, string>, Record<string, string>>(csv, { headers: true })
      .on("error", reject)
      .on("data", ({ rejected_reason, ...row }: Record<string, string>) => {
        const [id, name] = Object.values(row)
        lines.push(
          `${[id, name].filter((cell) => cell !== undefined && cell !== "").join(" ")}: ${rejected_reason ?? ""}`
        )
      })
      .on("end", () => resolve(lines))
  })
