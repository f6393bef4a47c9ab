/** Credentials or a challenge: a scheme with parameters (RFC 7235, section 2.1). */
export interface AuthParams {
  /** In lower case, such as `digest`. */
  readonly scheme: string
  /** By name in lower case, without quotes; escapes within quotes are as they were sent. */
  readonly params: ReadonlyMap<string, string>
}

const schemeShape = /^[ \t]*([\w.!%*+`'~-]+)[ \t]+/
const paramShape = /[ \t]*([\w.!%*+`'~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"|([^\s",]+))[ \t]*(?:,|$)/y
const emptyShape = /[ \t]*(?:,|$)/y

/** Parses credentials or a challenge. Null if they are malformed or have a parameter twice. */
export const parseAuthParams = (text: string): AuthParams | null => {
  const [match, scheme = ""] = schemeShape.exec(text) ?? []
  if (match === undefined) return null
  const params = new Map<string, string>()
  for (let at = match.length; at < text.length;) {
    emptyShape.lastIndex = at
    const empty = emptyShape.exec(text)
    if (empty !== null && empty[0] !== "") {
      at += empty[0].length
      continue
    }
    paramShape.lastIndex = at
    const param = paramShape.exec(text)
    const name = param?.[1]?.toLowerCase()
    if (param === null || name === undefined || params.has(name)) return null
    params.set(name, param[2] ?? param[3] ?? "")
    at += param[0].length
  }
  return { scheme: scheme.toLowerCase(), params }
}

/** The words of a quoted list, such as the `qop` of a challenge, in lower case. */
export const wordsIn = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().split(/[\s,]+/).filter((word) => word !== "")
