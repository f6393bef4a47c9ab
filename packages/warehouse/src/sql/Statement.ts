import { Either } from "effect"
import { viewName } from "../facts/ViewColumns.js"
import { QueryRefused, type RefusalCode } from "../Warehouse.js"
import { isAllowedFunction, isAllowedTableFunction } from "./Functions.js"
import { findNames, type NameUse } from "./StatementNames.js"
import { formatPosition, isKeyword, isSignificant, type SqlToken, tokenize } from "./Tokenizer.js"

/** Properties of a statement. */
export interface StatementFacts {
  /** True when the statement has a top-level LIMIT or FETCH. */
  readonly outerLimit: boolean
}

/** Most bytes of SQL, in UTF-8. */
export const maxStatementBytes = 64 * 1024

/** Most rows of a statement with its own LIMIT. */
const maxRowsWithLimit = 1000

/** Rows to read of a statement: the client's limit, capped at 1,000 when it has a LIMIT. */
export const maxRowsFor = ({ outerLimit }: StatementFacts, rowLimit: number): number =>
  outerLimit ? Math.min(rowLimit, maxRowsWithLimit) : rowLimit

type Fault = readonly [code: RefusalCode, message: string]
type Check = (statement: {
  readonly text: string
  /** All tokens. */
  readonly allTokens: ReadonlyArray<SqlToken>
  /** Significant tokens. */
  readonly tokens: ReadonlyArray<SqlToken>
  readonly parameterCount: number
}) => Fault | undefined

const truncateName = (name: string): string => name.length > 60 ? `${name.slice(0, 60)}…` : name
const isOperator = (token: SqlToken | undefined, text: string) => token?.kind === "operator" && token.text === text

const startsWithSelect: Check = ({ tokens: [first] }) => {
  if (first === undefined || isOperator(first, ";")) return ["INVALID_SQL", "The SQL is empty. Write a SELECT."]
  if (isKeyword(first, "SELECT", "WITH", "VALUES")) return undefined
  return first.kind === "name"
    ? ["NOT_READ_ONLY", "Only a SELECT can be run. Begin the SQL with SELECT, WITH or VALUES."]
    : ["INVALID_SQL", "The SQL has to begin with SELECT, WITH or VALUES."]
}

const isSingle: Check = ({ tokens }) => {
  const end = tokens.findIndex((token) => isOperator(token, ";"))
  return end >= 0 && tokens.slice(end).some((token) => !isOperator(token, ";"))
    ? ["MULTIPLE_STATEMENTS", "Only one SELECT can be run. Remove what follows the semicolon."]
    : undefined
}

const onlyReads: Check = ({ tokens }) => {
  if (!isKeyword(tokens[0], "WITH")) return undefined
  const verb = tokens.find((token, index) =>
    token.depth === 0 && isKeyword(token, "SELECT", "VALUES", "INSERT", "UPDATE", "DELETE", "REPLACE") &&
    !isKeyword(tokens[index + 1], "AS")
  )
  return isKeyword(verb, "INSERT", "UPDATE", "DELETE", "REPLACE")
    ? ["NOT_READ_ONLY", "Only a SELECT can be run. End the WITH with a SELECT."]
    : undefined
}

const isWellFormed: Check = ({ allTokens, text, tokens }) => {
  const open = allTokens.find(({ isClosed }) => !isClosed)
  if (open !== undefined) {
    const construct = open.kind === "comment" ? "comment" : "quote"
    return ["INVALID_SQL", `Close the ${construct} that begins at ${formatPosition(text, open.start)}.`]
  }
  const strange = tokens.find(({ kind }) => kind === "illegal")
  if (strange !== undefined) {
    return [
      "INVALID_SQL",
      `The text at ${formatPosition(text, strange.start)} is not SQL. Remove it, or put it in quotes.`
    ]
  }
  const extra = tokens.find(({ depth }) => depth < 0)
  if (extra !== undefined) {
    return ["INVALID_SQL", `Remove the parenthesis at ${formatPosition(text, extra.start)}, or open it before.`]
  }
  const openCount = tokens.filter((token) => isOperator(token, "(")).length
  const closeCount = tokens.filter((token) => isOperator(token, ")")).length
  return openCount > closeCount ? ["INVALID_SQL", "Close every parenthesis that is opened."] : undefined
}

const bindsEveryPlaceholder: Check = ({ parameterCount, text, tokens }) => {
  const placeholders = tokens.filter(({ kind }) => kind === "parameter")
  const placeholder = placeholders.find((token) => token.text !== "?")
  if (placeholder !== undefined) {
    return ["INVALID_SQL", `Use a filter instead of the placeholder at ${formatPosition(text, placeholder.start)}.`]
  }
  return placeholders.length === parameterCount
    ? undefined
    : [
      "INVALID_SQL",
      `The SQL has ${placeholders.length} placeholders, but there are ${parameterCount} values for them.`
    ]
}

/** Tests for names of SQLite's internal tables and modules, and of ours. */
const isInternal = (name: string): boolean =>
  /^(sqlite_|pragma_|trunkline_|fts\d|rtree|geopoly|dbstat$|dbpage$)/i.test(name)

const tableFault = (use: NameUse): Fault => {
  const message = use.token.kind === "string"
    ? "A text cannot be queried."
    : `There is no table ${truncateName(use.name)} here.`
  return ["FORBIDDEN_TABLE", `${message} Query ${viewName}.`]
}

const faultOf = (use: NameUse, tables: ReadonlySet<string>): Fault | undefined => {
  switch (use.role) {
    case "function":
      return isAllowedFunction(use.name)
        ? undefined
        : ["FORBIDDEN_FUNCTION", `The function ${truncateName(use.name)} cannot be used here. Remove it.`]
    case "tableFunction":
      if (isInternal(use.name)) return tableFault(use)
      return isAllowedTableFunction(use.name)
        ? undefined
        : ["FORBIDDEN_FUNCTION", `The function ${truncateName(use.name)} cannot be queried. Query ${viewName}.`]
    case "table":
      return tables.has(use.name.toLowerCase()) && !isInternal(use.name) ? undefined : tableFault(use)
    case "qualifier":
      return ["FORBIDDEN_TABLE", `Name tables without a database before them. Remove ${truncateName(use.name)}.`]
    case "other":
      return isInternal(use.name) ? tableFault(use) : undefined
  }
}

const usesAllowedNames: Check = ({ tokens }) => {
  const { subqueryNames, uses } = findNames(tokens)
  const tables = new Set([...subqueryNames, viewName.toLowerCase(), "json_each", "json_tree"])
  for (const use of uses) {
    const fault = faultOf(use, tables)
    if (fault !== undefined) return fault
  }
  return undefined
}

const checks: ReadonlyArray<Check> = [
  startsWithSelect,
  isSingle,
  onlyReads,
  isWellFormed,
  bindsEveryPlaceholder,
  usesAllowedNames
]

const sizeFault = (text: string): Fault | undefined => {
  const tooLong = text.length > maxStatementBytes || new TextEncoder().encode(text).length > maxStatementBytes
  if (tooLong) return ["INVALID_SQL", "The SQL is longer than 64 KiB. Shorten it."]
  return text.includes("\u0000") ? ["INVALID_SQL", "The SQL holds a NUL character. Remove it."] : undefined
}

/**
 * Rejects statements that must never reach any engine: multiple statements, anything but a SELECT, tables other than
 * `EngagementFactsBoardsView`, functions that are not allowed, unknown placeholders, and malformed SQL. Passing is
 * necessary but not sufficient: the engine's own prepare decides.
 *
 * `parameterCount` is the number of `?` that will be bound. Fails with the codes INVALID_SQL, NOT_READ_ONLY,
 * MULTIPLE_STATEMENTS, FORBIDDEN_TABLE or FORBIDDEN_FUNCTION.
 */
export const checkStatement = (text: string, parameterCount: number): Either.Either<StatementFacts, QueryRefused> => {
  const size = sizeFault(text)
  const allTokens = size === undefined ? tokenize(text) : []
  const tokens = allTokens.filter(isSignificant)
  const fault = size ?? checks.reduce<Fault | undefined>(
    (refusal, check) => refusal ?? check({ text, allTokens, tokens, parameterCount }),
    undefined
  )
  if (fault !== undefined) return Either.left(new QueryRefused({ code: fault[0], message: fault[1] }))
  const outerLimit = tokens.some((token, index) =>
    token.depth === 0 &&
    (isKeyword(token, "LIMIT") || (isKeyword(token, "FETCH") && isKeyword(tokens[index + 1], "FIRST", "NEXT")))
  )
  return Either.right({ outerLimit })
}
