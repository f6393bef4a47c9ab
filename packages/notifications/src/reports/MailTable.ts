import type { QueryResult } from "@trunkline/warehouse"
import { cellText } from "./CellText.js"
import { type Excerpt, excerptOf } from "./Excerpt.js"
import { fixedTable } from "./FixedTable.js"
import { htmlTable } from "./Html.js"

/** Rows that a mail shows (shapes 7.6). */
export const MAIL_ROWS = 50
/** Columns that a mail shows (design: boards 6). */
export const MAIL_COLUMNS = 12

/** Gmail shows the beginning of a mail with more than 102 kB of HTML; this leaves room for the rest of the page. */
const maxHtmlBytes = 90_000

/** How long cells may be: the longest with which the table stays small enough, or else the last. */
const cellLengths = [200, 80, 40, 20]

/** How long cells may be in plain text, where lines break where they please. */
const textCellLength = 40

const textsOf = ({ columns, rows }: Excerpt, max: number): ReadonlyArray<ReadonlyArray<string>> =>
  rows.map((row) => columns.map(({ name }, index) => cellText(row[index] ?? null, name, max)))

/** A result as a mail shows it. */
export interface MailTable {
  readonly html: string
  readonly text: string
  /** How much of the result is in it. */
  readonly shown: { readonly rows: number; readonly columns: number }
}

/** The first rows and columns of a result as a table; long cells are cut. */
export const mailTable = (result: QueryResult): MailTable => {
  const excerpt = excerptOf(result, { rows: MAIL_ROWS, columns: MAIL_COLUMNS })
  const encoder = new TextEncoder()
  let html = ""
  for (const length of cellLengths) {
    html = htmlTable(excerpt.columns, textsOf(excerpt, length))
    if (encoder.encode(html).length <= maxHtmlBytes) break
  }
  return {
    html,
    text: fixedTable(excerpt.columns, textsOf(excerpt, textCellLength)).join("\n"),
    shown: { rows: excerpt.rows.length, columns: excerpt.columns.length }
  }
}
