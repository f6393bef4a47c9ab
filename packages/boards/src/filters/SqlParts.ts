import { BoardsFailure } from "@trunkline/errors"
import { formatPosition, type SqlToken, tokenize } from "@trunkline/warehouse"
import { Either } from "effect"

/** Part of a date range that a token stands for; `whole` is the value itself. */
type Side = "whole" | "start" | "end"

/** Literal SQL. */
export interface SqlText {
  readonly _tag: "Text"
  readonly text: string
}

/** `{{name}}`, `{{name.start}}` or `{{name.end}}`. */
export interface TokenPart {
  readonly _tag: "Token"
  readonly name: string
  readonly side: Side
  /** The token as written, with its braces. */
  readonly sourceText: string
}

/** Optional clause `[[ ... ]]`, dropped when one of its tokens has no value. */
export interface ClausePart {
  readonly _tag: "Clause"
  readonly parts: ReadonlyArray<SqlText | TokenPart>
  /** The clause as written, with its brackets. */
  readonly sourceText: string
}

/** Parsed SQL with filter tokens. */
export interface SqlParts {
  readonly parts: ReadonlyArray<SqlText | TokenPart | ClausePart>
  /** Names of token-like text inside quotes. */
  readonly quotedNames: ReadonlyArray<string>
}

const shape = /^\s*([A-Za-z_][A-Za-z0-9_]{0,63})(?:\.(start|end))?\s*$/
const quotedToken = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})(?:\.(?:start|end))?\s*\}\}/g

/** Quoted text, closed or not. */
const isQuote = ({ kind }: SqlToken) => kind === "string" || kind === "quoted" || kind === "illegal"

/** Tokens up to and including `}}`: space, name, dot, `start` or `end`, space, `}}`. */
const maxTokenLength = 6

const invalidSql = (message: string) => Either.left(new BoardsFailure({ code: "INVALID_SQL", message }))

/** Parses the text between `{{` and `}}`; undefined when it is not a filter name. */
const parseToken = (inside: ReadonlyArray<SqlToken>): TokenPart | undefined => {
  const text = inside.map(({ text }) => text).join("")
  const [, name, side] = shape.exec(text) ?? []
  return name === undefined
    ? undefined
    : { _tag: "Token", name, side: side === "start" || side === "end" ? side : "whole", sourceText: `{{${text}}}` }
}

/**
 * Parses SQL with filter tokens and optional clauses. Removes comments, treats quoted text as literal, and never reads
 * `[[` as the start of `[a quoted name]`.
 *
 * Fails with `INVALID_SQL` for malformed tokens, nested or unclosed clauses, unclosed quotes, and placeholders such as
 * `?`, because values are named here.
 */
export const parseSqlParts = (sql: string): Either.Either<SqlParts, BoardsFailure> => {
  const tokens = tokenize(sql, { marks: true })
  const parts: Array<SqlParts["parts"][number]> = []
  const quotedNames: Array<string> = []
  let clause: Array<SqlText | TokenPart> | undefined
  let clauseStart = 0

  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const { kind, text } = token
    if (!token.isClosed && kind !== "comment") {
      return invalidSql(`Close the quote at ${formatPosition(sql, token.start)}.`)
    }
    if (kind === "parameter") {
      return invalidSql(
        `Write the value at ${formatPosition(sql, token.start)} as {{name}}; placeholders are not supported.`
      )
    }
    if (kind !== "mark") {
      if (isQuote(token)) quotedNames.push(...Array.from(text.matchAll(quotedToken), ([, name = ""]) => name))
      const part: SqlText = { _tag: "Text", text: kind === "comment" ? " " : text }
      ;(clause ?? parts).push(part)
    } else if (text === "[[") {
      if (clause !== undefined) return invalidSql("Optional clauses [[ ... ]] cannot be nested.")
      clause = []
      clauseStart = token.start
    } else if (text === "]]") {
      if (clause === undefined) {
        return invalidSql(`There is no [[ before the ]] at ${formatPosition(sql, token.start)}.`)
      }
      parts.push({ _tag: "Clause", parts: clause, sourceText: sql.slice(clauseStart, token.start + text.length) })
      clause = undefined
    } else {
      const next = tokens.slice(at + 1, at + 1 + maxTokenLength)
      const length = next.findIndex((other) => other.kind === "mark")
      const tokenPart = text === "{{" && next[length]?.text === "}}" ? parseToken(next.slice(0, length)) : undefined
      if (tokenPart === undefined) {
        return invalidSql(
          `Write {{ and }} around the name of a filter: letters, digits and underscores. See ${
            formatPosition(sql, token.start)
          }.`
        )
      }
      ;(clause ?? parts).push(tokenPart)
      at += length + 1
    }
  }
  return clause === undefined
    ? Either.right({ parts, quotedNames })
    : invalidSql("An optional clause starts with [[ but has no closing ]].")
}
