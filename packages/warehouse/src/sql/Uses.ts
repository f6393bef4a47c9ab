import { isNoFunction } from "./Functions.js"
import { isWord, type Token, unquoted } from "./Lexer.js"

/** What a name stands for at one place of a statement. */
export interface Use {
  readonly token: Token
  /** Without quotes. */
  readonly name: string
  readonly role: "table" | "tableFunction" | "function" | "qualifier" | "other"
}

type Clause = "tables" | "condition" | "other"

interface Frame {
  clause: Clause
  /** Inside `CAST(... AS type)`, from AS on. */
  type: boolean
  readonly cast: boolean
}

const isText = (token: Token | undefined, text: string): boolean => token?.kind === "operator" && token.text === text
const isName = (token: Token | undefined): boolean => token?.kind === "name" || token?.kind === "quoted"

const isBody = (tokens: ReadonlyArray<Token>, at: number): boolean => {
  if (!isWord(tokens[at], "AS")) return false
  const negated = isWord(tokens[at + 1], "NOT") ? at + 2 : at + 1
  return isText(tokens[isWord(tokens[negated], "MATERIALIZED") ? negated + 1 : negated], "(")
}

/** Which pieces are the names that WITH gives to subqueries. */
const definitions = (tokens: ReadonlyArray<Token>): ReadonlySet<number> => {
  const found = new Set<number>()
  const open: Array<number> = []
  tokens.forEach((token, at) => {
    if (isName(token) && isBody(tokens, at + 1)) found.add(at)
    if (isText(token, "(")) open.push(at)
    const from = isText(token, ")") ? open.pop() : undefined
    if (from !== undefined && isName(tokens[from - 1]) && isBody(tokens, at + 1)) found.add(from - 1)
  })
  return found
}

/** Keywords after which no table stands. */
const clauses = "WITH SELECT VALUES WHERE GROUP HAVING WINDOW ORDER LIMIT UNION EXCEPT INTERSECT".split(" ")

const moves = (tokens: ReadonlyArray<Token>, at: number, clause: Clause): Clause => {
  const token = tokens[at]
  if (isWord(token, "FROM")) return isWord(tokens[at - 1], "DISTINCT") ? clause : "tables"
  if (isWord(token, "JOIN")) return "tables"
  if (isWord(token, "ON", "USING")) return clause === "tables" ? "condition" : clause
  if (isText(token, ",") && clause === "condition") return "tables"
  return isWord(token, ...clauses) ? "other" : clause
}

/** The names of a statement. */
export interface StatementNames {
  readonly uses: ReadonlyArray<Use>
  /** The names that WITH gives to subqueries, in small letters. */
  readonly defined: ReadonlySet<string>
}

/**
 * Every name of a statement with what it stands for there. `tokens` is the statement without space and comments; texts
 * are names where SQLite takes them for tables.
 */
export const namesOf = (tokens: ReadonlyArray<Token>): StatementNames => {
  const definedAt = definitions(tokens)
  const uses: Array<Use> = []
  const outside: Array<Frame> = []
  let frame: Frame = { clause: "other", type: false, cast: false }
  tokens.forEach((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]]
    frame.clause = moves(tokens, at, frame.clause)
    if (frame.cast && isWord(token, "AS")) frame.type = true
    const list = frame.clause === "tables" &&
      (isWord(before, "FROM", "JOIN") || isText(before, ",") || isText(before, "("))
    if (isText(token, "(")) {
      outside.push(frame)
      frame = { clause: list ? "tables" : "other", type: false, cast: isWord(before, "CAST") }
      return
    }
    if (isText(token, ")")) {
      frame = outside.pop() ?? frame
      return
    }
    const standsForTable = list || isWord(before, "IN")
    if (!isName(token) && !(token.kind === "string" && standsForTable)) return
    const name = unquoted(token)
    const called = isText(next, "(") && !(token.kind === "name" && isNoFunction(name)) && !frame.type &&
      !definedAt.has(at)
    const qualifies = isText(next, ".") && (standsForTable || (isName(tokens[at + 2]) && isText(tokens[at + 3], ".")))
    const isTable = standsForTable && !(token.kind === "name" && /^(select|values|with)$/i.test(name))
    const role = qualifies
      ? "qualifier"
      : called
      ? isTable ? "tableFunction" : "function"
      : isTable
      ? "table"
      : "other"
    uses.push({ token, name, role })
  })
  const defined = tokens.filter((_, at) => definedAt.has(at)).map((token) => unquoted(token).toLowerCase())
  return { uses, defined: new Set(defined) }
}
