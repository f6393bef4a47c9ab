import type { QueryResult } from "@trunkline/warehouse"
import { Effect } from "effect"
import type { Attachment, MailContent } from "../mail/Mailer.js"
import { bigValue, boardLink, factTable, footnote, htmlPage, htmlTable, inlineImage, paragraph } from "./Html.js"
import {
  boardOf,
  excerptNotes,
  formatCount,
  isWidgetFailure,
  nextStepFor,
  noRowsText,
  type Report,
  runTimeOf,
  subjectOf,
  titleOf,
  type WidgetFailure
} from "./Report.js"
import { renderCsv, type ReportCsv } from "./ReportCsv.js"
import { summaryOf } from "./Summary.js"
import { type Excerpt, fixedTable, makeExcerpt, singleValueOf } from "./Tables.js"
import { formatCell, toFileName, toOneLine } from "./Text.js"

/** Most rows in a mail's table. */
const mailRows = 50
/** Most columns in a mail's table. */
const mailColumns = 12

/** Gmail clips mails with more than 102 kB of HTML; this leaves space for the rest of the page. */
const maxHtmlBytes = 90_000

/** Maximum cell lengths to try until the table is small enough; the last one is used otherwise. */
const cellLengths = [200, 80, 40, 20]

/** Longest cell in the plain-text table. */
const textCellLength = 40

const textsOf = ({ columns, rows }: Excerpt, max: number): ReadonlyArray<ReadonlyArray<string>> =>
  rows.map((row) => columns.map(({ name }, index) => formatCell(row[index] ?? null, name, max)))

/** A result rendered for a mail. */
interface MailTable {
  readonly html: string
  readonly text: string
  /** Rows and columns of the result that it includes. */
  readonly excerptSize: { readonly rows: number; readonly columns: number }
}

/** Renders the first rows and columns of a result as a table; long cells are truncated. */
const renderMailTable = (result: QueryResult): MailTable => {
  const excerpt = makeExcerpt(result, { rows: mailRows, columns: mailColumns })
  const encoder = new TextEncoder()
  let html = ""
  for (const length of cellLengths) {
    html = htmlTable(excerpt.columns, textsOf(excerpt, length))
    if (encoder.encode(html).length <= maxHtmlBytes) break
  }
  return {
    html,
    text: fixedTable(excerpt.columns, textsOf(excerpt, textCellLength)).join("\n"),
    excerptSize: { rows: excerpt.rows.length, columns: excerpt.columns.length }
  }
}

/** Longest failure message, and longest single value. */
const maxMessage = 1_000
const maxValueLength = 200

/** Additional content of a report mail. */
interface MailOptions {
  /** The report's chart as a PNG; it is shown as wide as the window, that of a number 400 pixels wide. */
  readonly chart?: Uint8Array | undefined
  /** Address of a page that shows the board. */
  readonly boardUrl?: string | undefined
}

/** Part of a mail in HTML and in plain text. */
interface Part {
  readonly html: string
  readonly text: string
}

const subtitle = (report: Report) => `${boardOf(report)} · ${runTimeOf(report)}`

const assembleMail = (
  report: Report,
  parts: ReadonlyArray<Part>,
  attachments: ReadonlyArray<Attachment>
): MailContent => {
  const title = titleOf(report)
  const texts = parts.map(({ text }) => text).filter((text) => text !== "")
  return {
    subject: subjectOf(report),
    text: [`${title}\n${subtitle(report)}`, ...texts].join("\n\n"),
    html: htmlPage(title, subtitle(report), parts.map(({ html }) => html)),
    attachments
  }
}

const failureMail = (report: Report, failure: WidgetFailure, link: ReadonlyArray<Part>): MailContent => {
  const facts = [
    ["Report", titleOf(report)],
    ["Board", boardOf(report)],
    ["Time", runTimeOf(report)],
    ["Code", toOneLine(failure.code, maxMessage)],
    ["Message", toOneLine(failure.message, maxMessage)],
    ["Next step", nextStepFor(failure)]
  ] as const
  const notice = "This report could not be created because its widget failed."
  return assembleMail(report, [
    { html: paragraph(notice), text: notice },
    { html: factTable(facts), text: facts.map(([name, text]) => `${name}: ${text}`).join("\n") },
    ...link
  ], [])
}

const valuePart = (report: Report, result: QueryResult): ReadonlyArray<Part> => {
  const single = singleValueOf(report, result)
  if (single === undefined) return []
  const value = formatCell(single.value, single.column, maxValueLength)
  return [{ html: bigValue(value, single.column), text: `${single.column}: ${value}` }]
}

const tablePart = (report: Report, result: QueryResult): ReadonlyArray<Part> => {
  if (result.rows.length === 0) return [{ html: paragraph(noRowsText), text: noRowsText }]
  if (singleValueOf(report, result)?.isWholeResult === true) return []
  const table = renderMailTable(result)
  const notes = excerptNotes(result, table.excerptSize).join(" ")
  return [{ html: table.html, text: table.text }, { html: footnote(notes), text: notes }]
}

const filePart = (file: ReportCsv, result: QueryResult): ReadonlyArray<Part> => {
  if (result.rows.length === 0) return []
  const note = file.rows < result.rows.length
    ? `The attached file has the first ${formatCount(file.rows, "row")}: with all of them it would be larger than 5 MB.`
    : `The attached file has ${formatCount(file.rows, "row")} with every column.`
  return [{ html: footnote(note), text: note }]
}

const summaryPart = (report: Report): ReadonlyArray<Part> => {
  const text = summaryOf(report).join(" ")
  return text === "" ? [] : [{ html: paragraph(text), text }]
}

const linkPart = (boardUrl: string | undefined): ReadonlyArray<Part> =>
  boardUrl === undefined ? [] : [{ html: boardLink(boardUrl), text: `The board: ${boardUrl}` }]

/** Width of the chart of a number, which is a tile. */
const tileWidth = 400

const chartParts = (report: Report, chart: Uint8Array | undefined) => {
  if (chart === undefined) return { parts: [], files: [] }
  const cid = `chart-${report.run_id.replace(/[^\w-]/g, "").slice(0, 64)}@trunkline`
  const alt = `Chart of ${titleOf(report)}. Its figures are in the table.`
  return {
    parts: [{ html: inlineImage(cid, alt, report.viz_type === "number" ? tileWidth : "100%"), text: "" }],
    files: [{ filename: toFileName(report.widget_name, "png"), content: chart, contentType: "image/png", cid }]
  }
}

/**
 * Renders a report as a mail: text and HTML with the chart, the first 50 rows and 12 columns as a table, and a note of
 * how much that is; the result is attached as `<widget_name>.csv`, up to 5 MB. A sentence sums up what the result amounts
 * to and how it has changed since the last report. A `number` widget shows its value in large type. A failed widget
 * becomes a notice of the error and of what to do.
 */
export const renderMail = (report: Report, options: MailOptions = {}): Effect.Effect<MailContent> =>
  Effect.gen(function*() {
    const { outcome } = report
    const link = linkPart(options.boardUrl)
    if (isWidgetFailure(outcome)) return failureMail(report, outcome, link)
    const file = yield* renderCsv(outcome)
    const chart = chartParts(report, options.chart)
    return assembleMail(
      report,
      [
        ...valuePart(report, outcome),
        ...summaryPart(report),
        ...chart.parts,
        ...tablePart(report, outcome),
        ...filePart(file, outcome),
        ...link
      ],
      [
        ...chart.files,
        { filename: toFileName(report.widget_name, "csv"), content: file.bytes, contentType: "text/csv; charset=utf-8" }
      ]
    )
  })
