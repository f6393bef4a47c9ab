import type { QueryResult } from "@trunkline/warehouse"
import { Schema } from "effect"
import {
  boardOf,
  formatCount,
  isWidgetFailure,
  nextStepFor,
  noRowsText,
  type Report,
  runTimeOf,
  titleOf,
  truncatedNote
} from "./Report.js"
import { columnWidths, fixedTable, makeExcerpt } from "./Tables.js"
import { formatCell, toOneLine, truncate } from "./Text.js"

/** Most rows in a chat message. */
const chatRows = 20
/** Most columns in a chat message. */
const chatColumns = 12

/** Longest header that Slack accepts. */
const maxHeader = 150

/** Keeps a failure within a section of 3,000 characters, even when escaping grows it fivefold. */
const maxCode = 60
const maxMessage = 500

/**
 * Size of a table as JSON without its fences. The table occurs twice in a message, and a section holds 3,000
 * characters; this keeps the message under the 12,000 characters at which Slack truncates.
 */
const maxTable = 2_900

/** Widest table that does not wrap on a usual screen. */
const maxWidth = 110

/** Maximum cell lengths to try until all rows fit; the last one is used otherwise. */
const cellLengths = [40, 24, 12, 6]

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Escapes a text for Slack: it cannot mention, link or end a code block. */
const escapeChat = (text: string): string =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? "").replaceAll("`", "ˋ")

/** Text of a block; `verbatim` disables links and mentions. */
const ChatText = Schema.Struct({
  type: Schema.Literal("mrkdwn"),
  text: Schema.String,
  verbatim: Schema.Literal(true)
})
type ChatText = typeof ChatText.Type

/** A block of Slack's Block Kit. */
const ChatBlock = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("header"),
    text: Schema.Struct({ type: Schema.Literal("plain_text"), text: Schema.String })
  }),
  Schema.Struct({ type: Schema.Literal("section"), text: ChatText }),
  Schema.Struct({ type: Schema.Literal("context"), elements: Schema.Array(ChatText) })
)

/** Body posted to a chat's incoming webhook for a report. */
export const ReportMessage = Schema.Struct({
  /** The complete report as text. */
  text: Schema.String,
  /** The same in Slack's blocks; absent when the receiver has rejected them with 400. */
  blocks: Schema.optional(Schema.Array(ChatBlock))
})
export type ReportMessage = typeof ReportMessage.Type

interface ChatTable {
  readonly text: string
  readonly rows: number
  readonly columns: number
}

/** Number of columns that fit side by side; at least one. */
const countFittingColumns = (widths: ReadonlyArray<number>): number => {
  let [width, columns] = [0, 0]
  for (const column of widths) {
    width += column + (columns === 0 ? 0 : 2)
    if (width > maxWidth) break
    columns += 1
  }
  return Math.max(columns, 1)
}

const renderTable = (result: QueryResult, maxCell: number): ChatTable => {
  const excerpt = makeExcerpt(result, { rows: chatRows, columns: chatColumns })
  const texts = excerpt.rows.map((row) =>
    excerpt.columns.map(({ name }, index) => formatCell(row[index] ?? null, name, maxCell))
  )
  const names = excerpt.columns.map(({ name, numeric }) => ({ name: truncate(name, Math.max(maxCell, 12)), numeric }))
  const columns = names.slice(0, countFittingColumns(columnWidths(names, texts)))
  const [header = "", rule = "", ...rows] = fixedTable(columns, texts).map(escapeChat)
  const lines = [header, rule]
  let budget = maxTable - JSON.stringify(lines.join("\n")).length
  for (const row of rows) {
    budget -= JSON.stringify(row).length
    if (budget < 0) break
    lines.push(row)
  }
  return { text: lines.join("\n"), rows: lines.length - 2, columns: columns.length }
}

/** The table with the longest cells at which all of its rows fit. */
const largestTable = (result: QueryResult): ChatTable => {
  const whole = Math.min(result.rows.length, chatRows)
  let table: ChatTable = { text: "", rows: 0, columns: 0 }
  for (const length of cellLengths) {
    table = renderTable(result, length)
    if (table.rows === whole) break
  }
  return table
}

const resultTexts = (result: QueryResult): ReadonlyArray<string> => {
  if (result.rows.length === 0) return [noRowsText]
  const table = largestTable(result)
  const [rows, columns] = [result.rows.length - table.rows, result.columns.length - table.columns]
  const notes = [
    ...(rows > 0 ? [formatCount(rows, "more row")] : []),
    ...(columns > 0 ? [formatCount(columns, "more column")] : []),
    ...(result.truncated ? [truncatedNote(result)] : [])
  ]
  return [["```", table.text, "```"].join("\n"), ...(notes.length > 0 ? [notes.join(" · ")] : [])]
}

const textsOf = (outcome: Report["outcome"]): ReadonlyArray<string> =>
  isWidgetFailure(outcome)
    ? [
      "This report could not be created because its widget failed.",
      `Code: ${escapeChat(toOneLine(outcome.code, maxCode))}\nMessage: ${
        escapeChat(toOneLine(outcome.message, maxMessage))
      }`,
      `Next step: ${nextStepFor(outcome)}`
    ]
    : resultTexts(outcome)

/** Header of at most 150 characters, counted after escaping like Slack does. */
const headerOf = (title: string): string => escapeChat(truncate(title, maxHeader, (part) => escapeChat(part).length))

const textOf = (text: string): ChatText => ({ type: "mrkdwn", text, verbatim: true })

/**
 * Renders a report as a chat message: title, run time, the first 20 rows in fixed width, and how many more there are.
 * At most 5 blocks and 12,000 characters as JSON.
 */
export const renderChat = (report: Report): ReportMessage => {
  const title = `[${boardOf(report)}] ${titleOf(report)}`
  const texts = textsOf(report.outcome)
  return {
    text: [escapeChat(title), runTimeOf(report), ...texts].join("\n"),
    blocks: [
      { type: "header", text: { type: "plain_text", text: headerOf(title) } },
      { type: "context", elements: [textOf(runTimeOf(report))] },
      ...texts.map((text) => ({ type: "section", text: textOf(text) }) as const)
    ]
  }
}

/** The same message for a webhook that rejects blocks. */
export const withoutBlocks = ({ text }: ReportMessage): ReportMessage => ({ text })
