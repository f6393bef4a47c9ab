import { CompiledQuery, type Kysely } from "kysely"
import type { Database } from "./Database.js"

/** How many rows one statement takes: the texts are few, so that all of them stay prepared, and none runs for long. */
const sizes = [128, 32, 8, 1] as const

/**
 * Inserts many rows by statements whose texts are made once: building them for every batch takes longer than the
 * database does. `head` is all before the values; `put` adds the values of a row to the others.
 */
export const insertMany = (head: string, columns: number) => {
  const row = `(${Array(columns).fill("?").join(", ")})`
  const texts = sizes.map((size) => ({ size, text: `${head} values ${Array(size).fill(row).join(", ")}` }))
  return async <A>(
    db: Kysely<Database>,
    rows: ReadonlyArray<A>,
    put: (values: Array<string | number>, row: A) => void
  ): Promise<void> => {
    let done = 0
    for (const { size, text } of texts) {
      while (rows.length - done >= size) {
        const values: Array<string | number> = []
        for (const row of rows.slice(done, done + size)) put(values, row)
        await db.executeQuery(CompiledQuery.raw(text, values))
        done += size
      }
    }
  }
}
