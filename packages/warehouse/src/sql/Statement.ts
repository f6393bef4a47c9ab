import { Either } from "effect"
import { viewName } from "../view/ViewColumns.js"
import { QueryRefused, type RefusalCode } from "../Warehouse.js"
import { isAllowedFunction, isAllowedTableFunction } from "./Functions.js"
import { isMeant, isWord, lex, placeOf, type Token } from "./Lexer.js"
import { namesOf, type Use } from "./Uses.js"

/** What there is to know of a statement before it runs. */
export interface StatementFacts {
  /** Whether it limits its own result: LIMIT or FETCH outside of parentheses, comments and texts (design: boards 3.4). */
  readonly outerLimit: boolean
}

/** The longest SQL that is looked at, in bytes of UTF-8 (design: boards 3.2). */
export const maxStatementBytes = 64 * 1024

/** What a LIMIT in the SQL may give at most (specification, Analytics boards, rule 4; decisions 8). */
export const maxRowsWithLimit = 1000

/** How many rows of a statement to read: with a LIMIT of its own at most 1,000, otherwise the caller's limit. */
export const maxRowsFor = ({ outerLimit }: StatementFacts, rowLimit: number): number =>
  outerLimit ? Math.min(rowLimit, maxRowsWithLimit) : rowLimit

type Fault = readonly [code: RefusalCode, message: string]
type Check = (statement: {
  readonly text: string
  /** Every piece, also space and comments. */
  readonly all: ReadonlyArray<Token>
  /** Without space and comments. */
  readonly tokens: ReadonlyArray<Token>
  readonly parameterCount: number
}) => Fault | undefined

const shown = (name: string): string => name.length > 60 ? `${name.slice(0, 60)}…` : name
const is = (token: Token | undefined, text: string) => token?.kind === "operator" && token.text === text

const beginsWell: Check = ({ tokens: [first] }) => {
  if (first === undefined || is(first, ";")) return ["INVALID_SQL", "The SQL is empty. Write a SELECT."]
  if (isWord(first, "SELECT", "WITH", "VALUES")) return undefined
  return first.kind === "name"
    ? ["NOT_READ_ONLY", "Only a SELECT can be run. Begin the SQL with SELECT, WITH or VALUES."]
    : ["INVALID_SQL", "The SQL has to begin with SELECT, WITH or VALUES."]
}

const isOne: Check = ({ tokens }) => {
  const end = tokens.findIndex((token) => is(token, ";"))
  return end >= 0 && tokens.slice(end).some((token) => !is(token, ";"))
    ? ["MULTIPLE_STATEMENTS", "Only one SELECT can be run. Remove what follows the semicolon."]
    : undefined
}

const onlyReads: Check = ({ tokens }) => {
  if (!isWord(tokens[0], "WITH")) return undefined
  const verb = tokens.find((token, index) =>
    token.depth === 0 && isWord(token, "SELECT", "VALUES", "INSERT", "UPDATE", "DELETE", "REPLACE") &&
    !isWord(tokens[index + 1], "AS")
  )
  return isWord(verb, "INSERT", "UPDATE", "DELETE", "REPLACE")
    ? ["NOT_READ_ONLY", "Only a SELECT can be run. End the WITH with a SELECT."]
    : undefined
}

const isWhole: Check = ({ all, text, tokens }) => {
  const open = all.find(({ closed }) => !closed)
  if (open !== undefined) {
    const what = open.kind === "comment" ? "comment" : "quote"
    return ["INVALID_SQL", `Close the ${what} that begins at ${placeOf(text, open.start)}.`]
  }
  const strange = tokens.find(({ kind }) => kind === "illegal")
  if (strange !== undefined) {
    return ["INVALID_SQL", `What stands at ${placeOf(text, strange.start)} is not SQL. Remove it, or put it in quotes.`]
  }
  const extra = tokens.find(({ depth }) => depth < 0)
  if (extra !== undefined) {
    return ["INVALID_SQL", `Remove the parenthesis at ${placeOf(text, extra.start)}, or open it before.`]
  }
  const opened = tokens.filter((token) => is(token, "(")).length
  const closed = tokens.filter((token) => is(token, ")")).length
  return opened > closed ? ["INVALID_SQL", "Close every parenthesis that is opened."] : undefined
}

const bindsAll: Check = ({ parameterCount, text, tokens }) => {
  const placeholders = tokens.filter(({ kind }) => kind === "parameter")
  const own = placeholders.find((token) => token.text !== "?")
  if (own !== undefined) {
    return ["INVALID_SQL", `Use a filter instead of the placeholder at ${placeOf(text, own.start)}.`]
  }
  return placeholders.length === parameterCount
    ? undefined
    : [
      "INVALID_SQL",
      `The SQL has ${placeholders.length} placeholders, but there are ${parameterCount} values for them.`
    ]
}

/** Names of SQLite's own tables and modules, and of ours (design: boards 2.6). */
const isInternal = (name: string): boolean =>
  /^(sqlite_|pragma_|trunkline_|fts\d|rtree|geopoly|dbstat$|dbpage$)/i.test(name)

const noTable = (use: Use): Fault => {
  const what = use.token.kind === "string" ? "A text cannot be queried." : `There is no table ${shown(use.name)} here.`
  return ["FORBIDDEN_TABLE", `${what} Query ${viewName}.`]
}

const faultOf = (use: Use, tables: ReadonlySet<string>): Fault | undefined => {
  switch (use.role) {
    case "function":
      return isAllowedFunction(use.name)
        ? undefined
        : ["FORBIDDEN_FUNCTION", `The function ${shown(use.name)} cannot be used here. Remove it.`]
    case "tableFunction":
      if (isInternal(use.name)) return noTable(use)
      return isAllowedTableFunction(use.name)
        ? undefined
        : ["FORBIDDEN_FUNCTION", `The function ${shown(use.name)} cannot be queried. Query ${viewName}.`]
    case "table":
      return tables.has(use.name.toLowerCase()) && !isInternal(use.name) ? undefined : noTable(use)
    case "qualifier":
      return ["FORBIDDEN_TABLE", `Name tables without a database before them. Remove ${shown(use.name)}.`]
    case "other":
      return isInternal(use.name) ? noTable(use) : undefined
  }
}

const namesOnlyTheView: Check = ({ tokens }) => {
  const { defined, uses } = namesOf(tokens)
  const tables = new Set([...defined, viewName.toLowerCase(), "json_each", "json_tree"])
  for (const use of uses) {
    const fault = faultOf(use, tables)
    if (fault !== undefined) return fault
  }
  return undefined
}

const checks: ReadonlyArray<Check> = [beginsWell, isOne, onlyReads, isWhole, bindsAll, namesOnlyTheView]

const sizeFault = (text: string): Fault | undefined => {
  const tooLong = text.length > maxStatementBytes || new TextEncoder().encode(text).length > maxStatementBytes
  if (tooLong) return ["INVALID_SQL", "The SQL is longer than 64 KiB. Shorten it."]
  return text.includes("\u0000") ? ["INVALID_SQL", "The SQL holds a NUL character. Remove it."] : undefined
}

/**
 * Refuses what must never reach an engine, whatever the engine: more than one statement, anything but a SELECT, other
 * tables than `EngagementFactsBoardsView`, functions that are not on the list, placeholders of the caller's own, and
 * what cannot be SQL. Passing says only that the engine may look at it: its own prepare is what decides (design: boards
 * 2.6). `parameterCount` is how many `?` will be bound. Fails with INVALID_SQL, NOT_READ_ONLY, MULTIPLE_STATEMENTS,
 * FORBIDDEN_TABLE or FORBIDDEN_FUNCTION (shapes 1.4).
 */
export const checkStatement = (text: string, parameterCount: number): Either.Either<StatementFacts, QueryRefused> => {
  const size = sizeFault(text)
  const all = size === undefined ? lex(text) : []
  const tokens = all.filter(isMeant)
  const fault = size ?? checks.reduce<Fault | undefined>(
    (found, check) => found ?? check({ text, all, tokens, parameterCount }),
    undefined
  )
  if (fault !== undefined) return Either.left(new QueryRefused({ code: fault[0], message: fault[1] }))
  const outerLimit = tokens.some((token, index) =>
    token.depth === 0 &&
    (isWord(token, "LIMIT") || (isWord(token, "FETCH") && isWord(tokens[index + 1], "FIRST", "NEXT")))
  )
  return Either.right({ outerLimit })
}
