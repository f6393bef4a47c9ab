import { mayPrecedeParenthesis } from "./Functions.js"
import { isKeyword, type SqlToken, unquote } from "./Tokenizer.js"

/** Use of a name in a statement. */
export interface NameUse {
  readonly token: SqlToken
  /** Without quotes. */
  readonly name: string
  readonly role: "table" | "tableFunction" | "function" | "qualifier" | "other"
}

type Clause = "tables" | "condition" | "other"

interface Frame {
  clause: Clause
  /** True inside `CAST(... AS type)` after AS. */
  type: boolean
  readonly cast: boolean
}

const isText = (token: SqlToken | undefined, text: string): boolean => token?.kind === "operator" && token.text === text
const isName = (token: SqlToken | undefined): boolean => token?.kind === "name" || token?.kind === "quoted"

const isWithBody = (tokens: ReadonlyArray<SqlToken>, at: number): boolean => {
  if (!isKeyword(tokens[at], "AS")) return false
  const after = isKeyword(tokens[at + 1], "NOT") ? at + 2 : at + 1
  return isText(tokens[isKeyword(tokens[after], "MATERIALIZED") ? after + 1 : after], "(")
}

/** Indexes of tokens that name the subqueries of a WITH clause. */
const definitions = (tokens: ReadonlyArray<SqlToken>): ReadonlySet<number> => {
  const nameIndices = new Set<number>()
  const open: Array<number> = []
  tokens.forEach((token, at) => {
    if (isName(token) && isWithBody(tokens, at + 1)) nameIndices.add(at)
    if (isText(token, "(")) open.push(at)
    const from = isText(token, ")") ? open.pop() : undefined
    if (from !== undefined && isName(tokens[from - 1]) && isWithBody(tokens, at + 1)) nameIndices.add(from - 1)
  })
  return nameIndices
}

/** Keywords that end a list of tables. */
const clauses = "WITH SELECT VALUES WHERE GROUP HAVING WINDOW ORDER LIMIT UNION EXCEPT INTERSECT".split(" ")

const nextClause = (tokens: ReadonlyArray<SqlToken>, at: number, clause: Clause): Clause => {
  const token = tokens[at]
  if (isKeyword(token, "FROM")) return isKeyword(tokens[at - 1], "DISTINCT") ? clause : "tables"
  if (isKeyword(token, "JOIN")) return "tables"
  if (isKeyword(token, "ON", "USING")) return clause === "tables" ? "condition" : clause
  if (isText(token, ",") && clause === "condition") return "tables"
  return isKeyword(token, ...clauses) ? "other" : clause
}

/** Names in a statement. */
interface StatementNames {
  readonly uses: ReadonlyArray<NameUse>
  /** Lower-case names that WITH gives to subqueries. */
  readonly subqueryNames: ReadonlySet<string>
}

/**
 * Finds all names of a statement and their roles. `tokens` are its significant tokens; strings count as names where
 * SQLite accepts them as tables.
 */
export const findNames = (tokens: ReadonlyArray<SqlToken>): StatementNames => {
  const definedAt = definitions(tokens)
  const uses: Array<NameUse> = []
  const outside: Array<Frame> = []
  let frame: Frame = { clause: "other", type: false, cast: false }
  tokens.forEach((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]]
    frame.clause = nextClause(tokens, at, frame.clause)
    if (frame.cast && isKeyword(token, "AS")) frame.type = true
    const list = frame.clause === "tables" &&
      (isKeyword(before, "FROM", "JOIN") || isText(before, ",") || isText(before, "("))
    if (isText(token, "(")) {
      outside.push(frame)
      frame = { clause: list ? "tables" : "other", type: false, cast: isKeyword(before, "CAST") }
      return
    }
    if (isText(token, ")")) {
      frame = outside.pop() ?? frame
      return
    }
    const standsForTable = list || isKeyword(before, "IN")
    if (!isName(token) && !(token.kind === "string" && standsForTable)) return
    const name = unquote(token)
    const isCalled = isText(next, "(") && !(token.kind === "name" && mayPrecedeParenthesis(name)) && !frame.type &&
      !definedAt.has(at)
    const qualifies = isText(next, ".") && (standsForTable || (isName(tokens[at + 2]) && isText(tokens[at + 3], ".")))
    const isTable = standsForTable && !(token.kind === "name" && /^(select|values|with)$/i.test(name))
    const role = qualifies
      ? "qualifier"
      : isCalled
      ? isTable ? "tableFunction" : "function"
      : isTable
      ? "table"
      : "other"
    uses.push({ token, name, role })
  })
  const definedNames = tokens.filter((_, at) => definedAt.has(at)).map((token) => unquote(token).toLowerCase())
  return { uses, subqueryNames: new Set(definedNames) }
}
