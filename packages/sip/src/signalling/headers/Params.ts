/**
 * Parameters of a header field or a URI, in order. Names are in lower case; a value is as it was sent, with the quotes or
 * escapes that it had, and null where there is none.
 */
export type Params = ReadonlyArray<readonly [name: string, value: string | null]>

/** Value of a parameter: null if it has none, undefined if there is no such parameter. The name is in lower case. */
export const param = (params: Params, name: string): string | null | undefined =>
  params.find(([key]) => key === name)?.[1]

/** The parameters with one of them set, at its place or at the end. */
export const withParam = (params: Params, name: string, value: string | null): Params =>
  params.some(([key]) => key === name)
    ? params.map((entry) => entry[0] === name ? [name, value] as const : entry)
    : [...params, [name, value]]

/** One parameter with its semicolon. White space may surround every part; a semicolon without a name is ignored. */
const headerParam = /[ \t]*;[ \t]*(?:([^\s;,=<>"]+)[ \t]*(?:=[ \t]*("(?:[^"\\]|\\[^])*"|[^\s;,<>"]+)?)?)?/y
const uriParam = /;(?:([^\s;=?]+)(?:=([^\s;?]*))?)?/y

const readWith = (
  pattern: RegExp,
  text: string,
  from: number
): { readonly params: Params; readonly end: number } => {
  const params: Array<readonly [string, string | null]> = []
  let end = from
  for (;;) {
    pattern.lastIndex = end
    const match = pattern.exec(text)
    if (match === null) return { params, end }
    if (match[1] !== undefined) params.push([match[1].toLowerCase(), match[2] ?? null])
    end += match[0].length
  }
}

const blank = /^[ \t]*$/

/** Reads the parameters of a header field from an offset to the end (RFC 3261, section 25.1); null if they are damaged. */
export const readParams = (text: string, from: number): Params | null => {
  if (from === text.length) return []
  const { end, params } = readWith(headerParam, text, from)
  return end === text.length || blank.test(text.slice(end)) ? params : null
}

/** Reads the parameters of a URI from an offset, and says where they end. */
export const readUriParams = (text: string, from: number): { readonly params: Params; readonly end: number } =>
  text.charCodeAt(from) === 0x3b ? readWith(uriParam, text, from) : { params: [], end: from }

/** Writes parameters, each with its semicolon. */
export const writeParams = (params: Params): string => {
  let text = ""
  for (const [name, value] of params) text += value === null ? `;${name}` : `;${name}=${value}`
  return text
}

/** Text of a quoted string, or of a token as it is (RFC 3261, section 25.1). */
export const unquote = (text: string): string =>
  text.length > 1 && text.startsWith("\"") && text.endsWith("\"")
    ? text.slice(1, -1).replace(/\\([^])/g, "$1")
    : text

/** Text as a quoted string. Line ends, which it cannot hold, become spaces. */
export const quoteText = (text: string): string => `"${text.replace(/[\r\n]+/g, " ").replace(/["\\]/g, "\\$&")}"`
