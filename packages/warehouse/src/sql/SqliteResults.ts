import { Encoding } from "effect"
import { type Cell, QueryRefused, type RefusalCode } from "../Warehouse.js"
import { isSignificant, tokenize } from "./Tokenizer.js"

/** A value as SQLite drivers return it; integers may be numbers or bigints. */
type SqliteValue = string | number | bigint | Uint8Array | null

/** Converts a SQLite value to a result cell. */
export const cellOf = (value: SqliteValue): Cell => {
  if (typeof value === "bigint") {
    const asNumber = Number(value)
    return Number.isSafeInteger(asNumber) ? asNumber : value.toString()
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  return value instanceof Uint8Array ? Encoding.encodeBase64(value) : value
}

/** Most bytes of a result; longer results are truncated. */
export const maxResultBytes = 8 * 1024 * 1024

const utf8 = new TextEncoder()

const sizeOf = (cell: Cell): number => typeof cell === "string" ? utf8.encode(cell).length + 24 : 24

/** Creates a function that counts rows of one result and returns whether they still fit into 8 MiB. */
export const makeResultBudget = (): (row: ReadonlyArray<Cell>) => boolean => {
  let remaining = maxResultBytes
  return (row) => {
    remaining -= row.reduce<number>((total, cell) => total + sizeOf(cell), 0)
    return remaining >= 0
  }
}

/** Replaces names that are not repeated. */
const unnamedToken = "like that"

/** SQLite's error messages and the messages for analysts; the first match wins. Only plain names are repeated. */
const errorPatterns: ReadonlyArray<
  readonly [sqliteMessage: RegExp, code: RefusalCode, message: (name: string) => string]
> = [
  [/^no such table: (.*)$/s, "FORBIDDEN_TABLE", (name) => `There is no table ${name} here. Look at the query schema.`],
  [/^no such function: (.*)$/s, "FORBIDDEN_FUNCTION", (name) => `There is no function ${name} here. Use another.`],
  [
    /^no such column: (.*?)(?: - should this be .*)?$/s,
    "INVALID_SQL",
    (name) => `There is no column ${name}. Look at the query schema; put texts in single quotes.`
  ],
  [
    /^ambiguous column name: (.*)$/s,
    "INVALID_SQL",
    (name) => `There is more than one column ${name}. Say of which table.`
  ],
  [
    /^near "(.*)": syntax error$/s,
    "INVALID_SQL",
    (name) => `The SQL is wrong at or before ${name === unnamedToken ? "a text or figure" : name}. Correct it there.`
  ],
  [
    /^circular reference: (.*)$/s,
    "INVALID_SQL",
    (name) =>
      `The WITH query ${name} refers to itself before it has any rows. Start it with a non-recursive SELECT, then UNION ALL.`
  ],
  [/^incomplete input$/, "INVALID_SQL", () => "The SQL ends too early. Complete it."],
  [
    /(string or blob too big|out of memory|database or disk is full|disk I\/O error)/i,
    "RESOURCE_LIMIT",
    () => "The query needs more memory than it may have. Ask for less at a time."
  ],
  [/(readonly database|not authorized|attempt to write)/i, "NOT_READ_ONLY", () => "Only a SELECT can be run."]
]

const safeName = (name: string): string => /^[\p{L}_][\p{L}\p{M}\p{N}_.$]{0,59}$/u.test(name) ? name : unnamedToken

/** SQLite's message, unless it quotes values of the statement. */
const redactLiterals = (sqliteMessage: string): string =>
  tokenize(sqliteMessage).filter(isSignificant).some(({ isClosed, kind }) =>
      !isClosed || ["string", "quoted", "blob", "illegal", "parameter"].includes(kind)
    )
    ? "SQLite cannot run this SQL. Check the functions that it calls and their values."
    : `SQLite cannot run this SQL: ${sqliteMessage}.`

/** Converts SQLite's error message to a refusal without any values of the statement. */
export const queryRefusedOf = (sqliteMessage: string): QueryRefused => {
  for (const [pattern, code, message] of errorPatterns) {
    const match = pattern.exec(sqliteMessage)
    if (match !== null) return new QueryRefused({ code, message: message(safeName(match[1] ?? "")) })
  }
  return new QueryRefused({ code: "INVALID_SQL", message: redactLiterals(sqliteMessage) })
}
