/**
 * Kinds of SQL tokens: white space, comments, strings (`'..'`), blobs (`x'..'`), quoted names (`".."`, `[..]`, `` `..`
 * ``), names and keywords, numbers, placeholders (`?`, `?1`, `:a`, `@a`, `$a`), operators including `( ) , . ;`,
 * template marks of boards (only on request), and characters that SQLite does not accept.
 */
export type TokenKind =
  | "space"
  | "comment"
  | "string"
  | "blob"
  | "quoted"
  | "name"
  | "number"
  | "parameter"
  | "operator"
  | "mark"
  | "illegal"

/** An SQL token; the texts of all tokens concatenate to the SQL. */
export interface SqlToken {
  readonly kind: TokenKind
  readonly text: string
  /** Start offset in UTF-16 units. */
  readonly start: number
  /**
   * Number of enclosing parentheses; both parentheses of a pair have the depth outside them. Negative after an extra
   * closing one.
   */
  readonly depth: number
  /** False for a string, quoted name or block comment that is not closed. */
  readonly isClosed: boolean
}

/** Options of `tokenize`. */
export interface TokenizeOptions {
  /** Returns `{{`, `}}`, `[[` and `]]` as tokens of the kind `mark`, even where `[` would start a quoted name. */
  readonly marks?: boolean
}

const letter = "A-Za-z_\\u0080-\\uffff"
const part = `${letter}0-9$`
const digits = "[0-9][0-9_]*"
const number = `0[xX][0-9a-fA-F][0-9a-fA-F_]*|(?:${digits}(?:\\.[0-9_]*)?|\\.${digits})(?:[eE][+-]?${digits})?`
const namedParameter = `[$@#:](?:::)*[${part}](?:[${part}]|::)*`
const quotedPattern = (quote: string) =>
  `${quote}[^${quote}]*(?:${quote}${quote}[^${quote}]*)*(?:${quote}(?!${quote})|$)`

/** A kind of token, its pattern, and its possible first characters. */
type Rule = readonly [kind: TokenKind, pattern: string, begins: RegExp]

const marks: Rule = ["mark", "\\{\\{|\\}\\}|\\[\\[|\\]\\]", /[{}[\]]/]

/** Tried in this order. */
const ruleTable: ReadonlyArray<Rule> = [
  ["space", "\\ufeff|[ \\t\\n\\f\\r][ \\t\\n\\v\\f\\r]*", /[\ufeff \t\n\f\r]/],
  ["comment", "--[^\\n]*|/\\*(?=[^])[^]*?(?:\\*/|$)", /[-/]/],
  ["blob", "[xX]'(?:[0-9a-fA-F]{2})*'", /[xX]/],
  ["illegal", "[xX]'[^']*'?", /[xX]/],
  ["string", quotedPattern("'"), /'/],
  ["quoted", `${quotedPattern("\"")}|${quotedPattern("`")}|\\[[^\\]]*(?:\\]|$)`, /["`[]/],
  ["illegal", `(?=(${number}))\\1[${part}]+`, /[0-9.]/],
  ["number", number, /[0-9.]/],
  ["illegal", `${namedParameter}\\([^\\s)]*(?=\\s|$)`, /[$@#:]/],
  ["parameter", `\\?[0-9]*|${namedParameter}(?:\\([^\\s)]*\\))?`, /[?$@#:]/],
  ["illegal", "[$@#:](?:::)+", /[$@#:]/],
  ["name", `[${letter}][${part}]*`, new RegExp(`[${letter}]`)],
  ["operator", "->>?|<[=><]|>[=>]|==|!=|\\|\\||[-+*/%&|~<>=,.();]", /[-<>=!|+*/%&~,.();]/],
  ["illegal", "[^]", /[^]/]
]

/** Represents all characters beyond ASCII, which start the same tokens: SQLite treats them as letters. */
const nonAscii = "\u0100"
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** Rules by the code of a token's first character. A byte order mark counts as white space. */
const compile = (table: ReadonlyArray<Rule>) => {
  const rules = table.map(([kind, source, begins]) => ({ kind, begins, pattern: new RegExp(source, "y") }))
  const beginningWith = (character: string) => rules.filter(({ begins }) => begins.test(character))
  const [mark, others, byCode] = [beginningWith("\ufeff"), beginningWith(nonAscii), ascii.map(beginningWith)]
  return (code: number) => byCode[code] ?? (code === 0xfeff ? mark : others)
}
const plainRules = compile(ruleTable)
const markRules = compile([marks, ...ruleTable])

const isClosed = (kind: TokenKind, text: string): boolean => {
  if (kind === "comment") return text.startsWith("--") || (text.length > 3 && text.endsWith("*/"))
  if (kind !== "string" && kind !== "quoted") return true
  const quote = text.charAt(0)
  if (quote === "[") return text.endsWith("]")
  let end = text.length
  while (end > 1 && text.charAt(end - 1) === quote) end--
  return (text.length - end) % 2 === 1
}

/**
 * Splits SQL into tokens exactly like SQLite's tokenizer (tokenize.c), including comments and white space. Accepts any
 * text: what SQLite rejects becomes `illegal` or is not closed. Runs in linear time.
 */
export const tokenize = (text: string, options: TokenizeOptions = {}): ReadonlyArray<SqlToken> => {
  const rulesOf = options.marks === true ? markRules : plainRules
  const tokens: Array<SqlToken> = []
  let start = 0
  let depth = 0
  while (start < text.length) {
    for (const { kind, pattern } of rulesOf(text.charCodeAt(start))) {
      pattern.lastIndex = start
      const match = pattern.exec(text)
      if (match === null) continue
      const [piece] = match
      if (piece === ")" && kind === "operator") depth--
      tokens.push({ kind, text: piece, start, depth, isClosed: isClosed(kind, piece) })
      if (piece === "(" && kind === "operator") depth++
      start += piece.length
      break
    }
  }
  return tokens
}

/** True for tokens other than white space and comments. */
export const isSignificant = ({ kind }: SqlToken): boolean => kind !== "space" && kind !== "comment"

/** Name or keyword without quotes. Also unquotes strings, which SQLite accepts as table names. */
export const unquote = ({ kind, text }: SqlToken): string => {
  if (kind !== "quoted" && kind !== "string") return text
  const quote = text.charAt(0)
  const inside = text.slice(1, -1)
  return quote === "[" ? inside : inside.replaceAll(quote + quote, quote)
}

/** Case-insensitive test for one of these keywords, given in capitals. Quoted names never match. */
export const isKeyword = (token: SqlToken | undefined, ...words: ReadonlyArray<string>): boolean =>
  token?.kind === "name" && words.includes(token.text.toUpperCase())

/** Position for error messages: `line 2, column 7`. */
export const formatPosition = (text: string, start: number): string => {
  const before = text.slice(0, start).split("\n")
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`
}
