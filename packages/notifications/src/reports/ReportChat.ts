import type { QueryResult } from "@trunkline/warehouse"
import { cellText } from "./CellText.js"
import { excerptOf } from "./Excerpt.js"
import { columnWidths, fixedTable } from "./FixedTable.js"
import { counted, cutNote, nextStep, nothingFound } from "./Notes.js"
import { clipped, oneLine } from "./OneLine.js"
import { isRunFailure, type Report } from "./Report.js"
import { boardOf, runTimeOf, titleOf } from "./ReportTitle.js"

/** Rows that a chat message shows (shapes 7.6). */
export const CHAT_ROWS = 20
/** Columns that a chat message shows at most, where they fit. */
export const CHAT_COLUMNS = 12

/** The longest header that Slack takes (design: boards 6). */
const maxHeader = 150

/** So much of a failure that a section holds it, whose most is 3,000 characters, escaped fivefold (design: boards 6). */
const maxCode = 60
const maxMessage = 500

/**
 * The room of a table as JSON, its fences apart. It is in a message twice, and a section holds 3,000 characters: so the
 * message stays under the 12,000 after which Slack cuts (design: boards 6).
 */
const maxTable = 2_900

/** The widest table that does not break its lines on a usual screen. */
const maxWidth = 110

/** How long cells may be: the longest with which the table fits, or else the last. */
const cellLengths = [40, 24, 12, 6]

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Text that Slack shows as it is: nothing in it calls a channel, links, or ends a block of fixed width. */
export const escapeChat = (text: string): string =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? "").replaceAll("`", "ˋ")

/** A part of a message, as Slack's Block Kit has it. */
export type ChatBlock =
  | { readonly type: "header"; readonly text: { readonly type: "plain_text"; readonly text: string } }
  | { readonly type: "section"; readonly text: ChatText }
  | { readonly type: "context"; readonly elements: ReadonlyArray<ChatText> }

/** A text of a block; `verbatim`: nothing in it becomes a link or a mention. */
export interface ChatText {
  readonly type: "mrkdwn"
  readonly text: string
  readonly verbatim: true
}

/** What is posted to an incoming webhook without blocks. */
export interface PlainChatMessage {
  readonly text: string
}

/** What is posted to an incoming webhook that takes Slack's blocks: `text` says all of it too. */
export interface ChatMessage extends PlainChatMessage {
  readonly blocks: ReadonlyArray<ChatBlock>
}

interface ChatTable {
  readonly text: string
  readonly rows: number
  readonly columns: number
}

/** How many columns fit beside each other; at least one. */
const fitting = (widths: ReadonlyArray<number>): number => {
  let [width, columns] = [0, 0]
  for (const column of widths) {
    width += column + (columns === 0 ? 0 : 2)
    if (width > maxWidth) break
    columns += 1
  }
  return Math.max(columns, 1)
}

const tableOf = (result: QueryResult, maxCell: number): ChatTable => {
  const excerpt = excerptOf(result, { rows: CHAT_ROWS, columns: CHAT_COLUMNS })
  const texts = excerpt.rows.map((row) =>
    excerpt.columns.map(({ name }, index) => cellText(row[index] ?? null, name, maxCell))
  )
  const names = excerpt.columns.map(({ name, numeric }) => ({ name: clipped(name, Math.max(maxCell, 12)), numeric }))
  const columns = names.slice(0, fitting(columnWidths(names, texts)))
  const [header = "", rule = "", ...rows] = fixedTable(columns, texts).map(escapeChat)
  const lines = [header, rule]
  let room = maxTable - JSON.stringify(lines.join("\n")).length
  for (const row of rows) {
    room -= JSON.stringify(row).length
    if (room < 0) break
    lines.push(row)
  }
  return { text: lines.join("\n"), rows: lines.length - 2, columns: columns.length }
}

/** The table with the longest cells with which all of its rows fit. */
const fittingTable = (result: QueryResult): ChatTable => {
  const whole = Math.min(result.rows.length, CHAT_ROWS)
  let table: ChatTable = { text: "", rows: 0, columns: 0 }
  for (const length of cellLengths) {
    table = tableOf(result, length)
    if (table.rows === whole) break
  }
  return table
}

const resultTexts = (result: QueryResult): ReadonlyArray<string> => {
  if (result.rows.length === 0) return [nothingFound]
  const table = fittingTable(result)
  const [rows, columns] = [result.rows.length - table.rows, result.columns.length - table.columns]
  const notes = [
    ...(rows > 0 ? [counted(rows, "more row")] : []),
    ...(columns > 0 ? [counted(columns, "more column")] : []),
    ...(result.truncated ? [cutNote(result)] : [])
  ]
  return [["```", table.text, "```"].join("\n"), ...(notes.length > 0 ? [notes.join(" · ")] : [])]
}

const textsOf = (outcome: Report["outcome"]): ReadonlyArray<string> =>
  isRunFailure(outcome)
    ? [
      "This report could not be made: its widget gave no result.",
      `Code: ${escapeChat(oneLine(outcome.code, maxCode))}\nMessage: ${
        escapeChat(oneLine(outcome.message, maxMessage))
      }`,
      `Next step: ${nextStep(outcome)}`
    ]
    : resultTexts(outcome)

/** A title of at most 150 characters as Slack counts them, which is after escaping. */
const headerOf = (title: string): string => escapeChat(clipped(title, maxHeader, (part) => escapeChat(part).length))

const textOf = (text: string): ChatText => ({ type: "mrkdwn", text, verbatim: true })

/**
 * A report as a message for a team chat (shapes 7.6): a title line, the run time, the first 20 rows in fixed width, and how
 * many more there are. At most 5 blocks and 12,000 characters as JSON, whatever is in the table.
 */
export const chatOf = (report: Report): ChatMessage => {
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

/** The same message for a webhook that refused its blocks. */
export const plainChatOf = ({ text }: ChatMessage): PlainChatMessage => ({ text })
