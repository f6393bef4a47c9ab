import { BoardsFailure } from "@trunkline/errors"
import { lex, placeOf, type Token } from "@trunkline/warehouse"
import { Either } from "effect"

/** Which side of a range a token stands for; `whole` is the value itself. */
export type Side = "whole" | "start" | "end"

/** SQL as it stands. */
export interface TextPart {
  readonly _tag: "Text"
  readonly text: string
}

/** `{{name}}`, `{{name.start}}` or `{{name.end}}`. */
export interface TokenPart {
  readonly _tag: "Token"
  readonly name: string
  readonly side: Side
}

/** `[[ ... ]]`: what goes when one of its tokens has no value. */
export interface ClausePart {
  readonly _tag: "Clause"
  readonly parts: ReadonlyArray<TextPart | TokenPart>
}

/** An analyst's SQL taken apart. */
export interface SqlParts {
  readonly parts: ReadonlyArray<TextPart | TokenPart | ClausePart>
  /** Names of what looks like tokens inside quotes, where it is text. */
  readonly quoted: ReadonlyArray<string>
}

const shape = /^\s*([A-Za-z_][A-Za-z0-9_]{0,63})(?:\.(start|end))?\s*$/
const lookalike = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})(?:\.(?:start|end))?\s*\}\}/g

/** Quotes, and what would be some if it were well formed. */
const isQuote = ({ kind }: Token) => kind === "string" || kind === "quoted" || kind === "illegal"

/** Space, a name, a dot, `start` or `end`, space, and the mark behind them. */
const longestToken = 6

const refuse = (message: string) => Either.left(new BoardsFailure({ code: "INVALID_SQL", message }))

/** What stands between `{{` and `}}`, or nothing where there is no name of a filter. */
const readToken = (inside: ReadonlyArray<Token>): TokenPart | undefined => {
  const [, name, side] = shape.exec(inside.map(({ text }) => text).join("")) ?? []
  return name === undefined
    ? undefined
    : { _tag: "Token", name, side: side === "start" || side === "end" ? side : "whole" }
}

/**
 * Takes an analyst's SQL apart (shapes 7.4, design: boards 3.5). Comments go, and whatever is in them; quotes are text;
 * `[[` is never the beginning of `[a quoted name]`. Fails with `INVALID_SQL` at what is not a token, at clauses that
 * nest or do not close, at quotes that do not close, and at placeholders: values have names here.
 */
export const takeApart = (sql: string): Either.Either<SqlParts, BoardsFailure> => {
  const lexed = lex(sql, { marks: true })
  const parts: Array<SqlParts["parts"][number]> = []
  const quoted: Array<string> = []
  let clause: Array<TextPart | TokenPart> | undefined

  for (let at = 0; at < lexed.length; at++) {
    const piece = lexed[at]
    if (piece === undefined) break
    const { kind, text } = piece
    if (!piece.closed && kind !== "comment") return refuse(`Close the quote at ${placeOf(sql, piece.start)}.`)
    if (kind === "parameter") {
      return refuse(`Write the value at ${placeOf(sql, piece.start)} as {{name}}; placeholders are not taken.`)
    }
    if (kind !== "mark") {
      if (isQuote(piece)) quoted.push(...Array.from(text.matchAll(lookalike), ([, name = ""]) => name))
      const part: TextPart = { _tag: "Text", text: kind === "comment" ? " " : text }
      ;(clause ?? parts).push(part)
    } else if (text === "[[") {
      if (clause !== undefined) return refuse("Optional clauses [[ ... ]] cannot stand inside one another.")
      clause = []
    } else if (text === "]]") {
      if (clause === undefined) return refuse(`There is no [[ before the ]] at ${placeOf(sql, piece.start)}.`)
      parts.push({ _tag: "Clause", parts: clause })
      clause = undefined
    } else {
      const next = lexed.slice(at + 1, at + 1 + longestToken)
      const length = next.findIndex((other) => other.kind === "mark")
      const token = text === "{{" && next[length]?.text === "}}" ? readToken(next.slice(0, length)) : undefined
      if (token === undefined) {
        return refuse(
          `Write {{ and }} around the name of a filter: letters, digits and underscores. See ${
            placeOf(sql, piece.start)
          }.`
        )
      }
      ;(clause ?? parts).push(token)
      at += length + 1
    }
  }
  return clause === undefined
    ? Either.right({ parts, quoted })
    : refuse("An optional clause begins with [[ but does not end with ]].")
}
