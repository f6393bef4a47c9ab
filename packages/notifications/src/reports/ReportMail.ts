import type { QueryResult } from "@trunkline/warehouse"
import { Effect } from "effect"
import type { Attachment, MailContent } from "../mail/Mail.js"
import { cellText } from "./CellText.js"
import { figureOf } from "./Excerpt.js"
import { fileName } from "./FileName.js"
import { bigFigure, factTable, htmlPage, inlinePicture, paragraph, smallLine } from "./Html.js"
import { mailTable } from "./MailTable.js"
import { counted, nextStep, nothingFound, shownNotes } from "./Notes.js"
import { oneLine } from "./OneLine.js"
import { isRunFailure, type Report, type RunFailure } from "./Report.js"
import { type ReportCsv, reportCsv } from "./ReportCsv.js"
import { boardOf, runTimeOf, subjectOf, titleOf } from "./ReportTitle.js"

/** The longest text of a failure, or of one big value, that is shown. */
const maxMessage = 1_000
const maxFigure = 200

/** What goes into a mail besides its report. */
export interface MailOptions {
  /** The report's chart, as a PNG of twice the size at which it is shown (1280 pixels wide). */
  readonly chart?: Uint8Array | undefined
}

/** One part of a mail, in both of its forms. */
interface Part {
  readonly html: string
  readonly text: string
}

const under = (report: Report) => `${boardOf(report)} · ${runTimeOf(report)}`

const mailWith = (report: Report, parts: ReadonlyArray<Part>, attachments: ReadonlyArray<Attachment>): MailContent => {
  const title = titleOf(report)
  const texts = parts.map(({ text }) => text).filter((text) => text !== "")
  return {
    subject: subjectOf(report),
    text: [`${title}\n${under(report)}`, ...texts].join("\n\n"),
    html: htmlPage(title, under(report), parts.map(({ html }) => html)),
    attachments
  }
}

const failureMail = (report: Report, failure: RunFailure): MailContent => {
  const facts = [
    ["Report", titleOf(report)],
    ["Board", boardOf(report)],
    ["Time", runTimeOf(report)],
    ["Code", oneLine(failure.code, maxMessage)],
    ["Message", oneLine(failure.message, maxMessage)],
    ["Next step", nextStep(failure)]
  ] as const
  const said = "This report could not be made: its widget gave no result."
  return mailWith(report, [
    { html: paragraph(said), text: said },
    { html: factTable(facts), text: facts.map(([name, text]) => `${name}: ${text}`).join("\n") }
  ], [])
}

const figurePart = (report: Report, result: QueryResult): ReadonlyArray<Part> => {
  const figure = figureOf(report, result)
  if (figure === undefined) return []
  const value = cellText(figure.value, figure.column, maxFigure)
  return [{ html: bigFigure(value, figure.column), text: `${figure.column}: ${value}` }]
}

const tablePart = (report: Report, result: QueryResult): ReadonlyArray<Part> => {
  if (result.rows.length === 0) return [{ html: paragraph(nothingFound), text: nothingFound }]
  if (figureOf(report, result)?.alone === true) return []
  const table = mailTable(result)
  const notes = shownNotes(result, table.shown).join(" ")
  return [{ html: table.html, text: table.text }, { html: smallLine(notes), text: notes }]
}

const filePart = (file: ReportCsv, result: QueryResult): ReadonlyArray<Part> => {
  if (result.rows.length === 0) return []
  const note = file.rows < result.rows.length
    ? `The attached file has the first ${counted(file.rows, "row")}: with all of them it would be larger than 5 MB.`
    : `The attached file has ${counted(file.rows, "row")} with every column.`
  return [{ html: smallLine(note), text: note }]
}

const chartParts = (report: Report, chart: Uint8Array | undefined) => {
  if (chart === undefined) return { parts: [], files: [] }
  const cid = `chart-${report.run_id.replace(/[^\w-]/g, "").slice(0, 64)}@trunkline`
  const alt = `Chart of ${titleOf(report)}. Its figures are in the table.`
  return {
    parts: [{ html: inlinePicture(cid, alt), text: "" }],
    files: [{ filename: fileName(report.widget_name, "png"), content: chart, contentType: "image/png", cid }]
  }
}

/**
 * A report as a mail, for whomever it goes to (shapes 7.6): text and HTML with the chart, the first 50 rows and 12 columns
 * as a table, and how much that is of the whole; the result as `<widget_name>.csv`, at most 5 MB of it. A `number` widget
 * shows its value in large type. A widget that gave no result is a notice of what went wrong and what to do.
 */
export const mailOf = (report: Report, options: MailOptions = {}): Effect.Effect<MailContent> =>
  Effect.gen(function*() {
    const { outcome } = report
    if (isRunFailure(outcome)) return failureMail(report, outcome)
    const file = yield* reportCsv(outcome)
    const chart = chartParts(report, options.chart)
    return mailWith(
      report,
      [...figurePart(report, outcome), ...chart.parts, ...tablePart(report, outcome), ...filePart(file, outcome)],
      [
        ...chart.files,
        { filename: fileName(report.widget_name, "csv"), content: file.bytes, contentType: "text/csv; charset=utf-8" }
      ]
    )
  })
