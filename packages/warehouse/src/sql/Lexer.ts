/**
 * What a piece of SQL is: space and comments, texts (`'..'`), blobs (`x'..'`), quoted names (`".."`, `[..]`, `` `..` ``),
 * names and keywords, numbers, placeholders (`?`, `?1`, `:a`, `@a`, `$a`), operators with `( ) , . ;`, the marks of boards
 * (only when asked for), and characters that SQLite knows nothing of.
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

/** One piece of SQL; the texts of all of them together are the SQL. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Where it begins, in UTF-16 units. */
  readonly start: number
  /** How many parentheses are open around it; those of a pair have the depth outside of them. Below 0: one too many closed. */
  readonly depth: number
  /** False where a text, a quoted name or a block comment runs to the end of the SQL without being closed. */
  readonly closed: boolean
}

/** What else to look for. */
export interface LexOptions {
  /** Makes `{{`, `}}`, `[[` and `]]` tokens of the kind `mark`, also where `[` would begin a quoted name. */
  readonly marks?: boolean
}

const letter = "A-Za-z_\\u0080-\\uffff"
const part = `${letter}0-9$`
const digits = "[0-9][0-9_]*"
const number = `0[xX][0-9a-fA-F][0-9a-fA-F_]*|(?:${digits}(?:\\.[0-9_]*)?|\\.${digits})(?:[eE][+-]?${digits})?`
const named = `[$@#:](?:::)*[${part}](?:[${part}]|::)*`
const quotedBy = (quote: string) => `${quote}[^${quote}]*(?:${quote}${quote}[^${quote}]*)*(?:${quote}(?!${quote})|$)`

/** A kind of piece, what it looks like, and the characters that it can begin with: no other piece is tried there. */
type Rule = readonly [kind: TokenKind, pattern: string, begins: RegExp]

const marks: Rule = ["mark", "\\{\\{|\\}\\}|\\[\\[|\\]\\]", /[{}[\]]/]

/** In the order in which they are tried. */
const kinds: ReadonlyArray<Rule> = [
  ["space", "\\ufeff|[ \\t\\n\\f\\r][ \\t\\n\\v\\f\\r]*", /[\ufeff \t\n\f\r]/],
  ["comment", "--[^\\n]*|/\\*(?=[^])[^]*?(?:\\*/|$)", /[-/]/],
  ["blob", "[xX]'(?:[0-9a-fA-F]{2})*'", /[xX]/],
  ["illegal", "[xX]'[^']*'?", /[xX]/],
  ["string", quotedBy("'"), /'/],
  ["quoted", `${quotedBy("\"")}|${quotedBy("`")}|\\[[^\\]]*(?:\\]|$)`, /["`[]/],
  ["illegal", `(?=(${number}))\\1[${part}]+`, /[0-9.]/],
  ["number", number, /[0-9.]/],
  ["illegal", `${named}\\([^\\s)]*(?=\\s|$)`, /[$@#:]/],
  ["parameter", `\\?[0-9]*|${named}(?:\\([^\\s)]*\\))?`, /[?$@#:]/],
  ["illegal", "[$@#:](?:::)+", /[$@#:]/],
  ["name", `[${letter}][${part}]*`, new RegExp(`[${letter}]`)],
  ["operator", "->>?|<[=><]|>[=>]|==|!=|\\|\\||[-+*/%&|~<>=,.();]", /[-<>=!|+*/%&~,.();]/],
  ["illegal", "[^]", /[^]/]
]

/** One of the characters beyond ASCII that all begin the same pieces: letters, for SQLite. */
const beyond = "\u0100"
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** What can begin with a character: by its code, and for all beyond ASCII. A byte order mark is space there. */
const compile = (table: ReadonlyArray<Rule>) => {
  const rules = table.map(([kind, source, begins]) => ({ kind, begins, pattern: new RegExp(source, "y") }))
  const beginningWith = (character: string) => rules.filter(({ begins }) => begins.test(character))
  const [mark, others, byCode] = [beginningWith("\ufeff"), beginningWith(beyond), ascii.map(beginningWith)]
  return (code: number) => byCode[code] ?? (code === 0xfeff ? mark : others)
}
const plain = compile(kinds)
const withMarks = compile([marks, ...kinds])

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
 * The pieces of an SQL text as SQLite cuts them, comments and space included (SQLite's own tokenizer, tokenize.c). Takes
 * any text whatever: what SQLite would refuse comes out as `illegal` or not `closed`.
 */
export const lex = (text: string, options: LexOptions = {}): ReadonlyArray<Token> => {
  const rulesOf = options.marks === true ? withMarks : plain
  const tokens: Array<Token> = []
  let start = 0
  let depth = 0
  while (start < text.length) {
    for (const { kind, pattern } of rulesOf(text.charCodeAt(start))) {
      pattern.lastIndex = start
      const found = pattern.exec(text)
      if (found === null) continue
      const [piece] = found
      if (piece === ")" && kind === "operator") depth--
      tokens.push({ kind, text: piece, start, depth, closed: isClosed(kind, piece) })
      if (piece === "(" && kind === "operator") depth++
      start += piece.length
      break
    }
  }
  return tokens
}

/** Whether a piece says something: neither space nor comment. */
export const isMeant = ({ kind }: Token): boolean => kind !== "space" && kind !== "comment"

/** A keyword or name as it was meant: without its quotes. The same for a text, which SQLite also takes for a table's name. */
export const unquoted = ({ kind, text }: Token): string => {
  if (kind !== "quoted" && kind !== "string") return text
  const quote = text.charAt(0)
  const inside = text.slice(1, -1)
  return quote === "[" ? inside : inside.replaceAll(quote + quote, quote)
}

/** Whether a piece is one of these keywords, in any case of letters; give them in capitals. Quoted names never are. */
export const isWord = (token: Token | undefined, ...words: ReadonlyArray<string>): boolean =>
  token?.kind === "name" && words.includes(token.text.toUpperCase())

/** Where a piece is, for people: `line 2, column 7`. */
export const placeOf = (text: string, start: number): string => {
  const before = text.slice(0, start).split("\n")
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`
}
