import { QueryRefused, type RefusalCode } from "../Warehouse.js"
import { isMeant, lex } from "./Lexer.js"

/** What stands for a name that is not repeated. */
const unnamed = "like that"

/** What SQLite says, and what analysts are told instead; the first that fits. A name is taken over where it is plain. */
const known: ReadonlyArray<readonly [said: RegExp, code: RefusalCode, message: (name: string) => string]> = [
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
    (name) => `The SQL is wrong at or before ${name === unnamed ? "a text or figure" : name}. Correct it there.`
  ],
  [
    /^circular reference: (.*)$/s,
    "INVALID_SQL",
    (name) =>
      `The WITH query ${name} asks itself before it has any rows. Begin it with a SELECT of its own, then UNION ALL.`
  ],
  [/^incomplete input$/, "INVALID_SQL", () => "The SQL ends too early. Complete it."],
  [
    /(string or blob too big|out of memory|database or disk is full|disk I\/O error)/i,
    "RESOURCE_LIMIT",
    () => "The query needs more memory than it may have. Ask for less at a time."
  ],
  [/(readonly database|not authorized|attempt to write)/i, "NOT_READ_ONLY", () => "Only a SELECT can be run."]
]

const plain = (name: string): string => /^[\p{L}_][\p{L}\p{M}\p{N}_.$]{0,59}$/u.test(name) ? name : unnamed

/** SQLite's own words without what it quotes of the statement. */
const withoutLiterals = (said: string): string =>
  lex(said).filter(isMeant).some(({ closed, kind }) =>
      !closed || ["string", "quoted", "blob", "illegal", "parameter"].includes(kind)
    )
    ? "SQLite cannot run this SQL. Check the functions that it calls and their values."
    : `SQLite cannot run this SQL: ${said}.`

/** A failure of SQLite's prepare or run, by its message, as analysts are told of it: without texts or figures of theirs. */
export const refusalOfSqlite = (said: string): QueryRefused => {
  for (const [pattern, code, message] of known) {
    const found = pattern.exec(said)
    if (found !== null) return new QueryRefused({ code, message: message(plain(found[1] ?? "")) })
  }
  return new QueryRefused({ code: "INVALID_SQL", message: withoutLiterals(said) })
}
