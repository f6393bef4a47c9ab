import { isBlank, splitCommas, trimBlanks } from "./CommaList.js"
import { type HeaderRule, headerRule, isToken } from "./HeaderNames.js"
import { messageLimits } from "./Limits.js"
import type { MalformedStatus } from "./MalformedMessage.js"

/** First line of a message. */
export type StartLine =
  | { readonly _tag: "Request"; readonly method: string; readonly uri: string }
  | { readonly _tag: "Response"; readonly status: number; readonly reason: string }

/** Fault of a message, as it appears in a `MalformedMessage`. */
export interface MessageFault {
  readonly message: string
  readonly status: MalformedStatus
}

/** Start line and header fields of a message, as far as they can be read. */
export interface Head {
  /** Null if it cannot be read. */
  readonly start: StartLine | null
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** The first fault; null if there is none. */
  readonly fault: MessageFault | null
}

const bad = (message: string): MessageFault => ({ message, status: 400 })

const statusLine = /^SIP\/2\.0 ([1-6]\d\d)(?: ([^]*))?$/i
const version = /^SIP\/(\d+\.\d+)$/i

const readStart = (line: string): { readonly start: StartLine | null; readonly fault: MessageFault | null } => {
  if (line.length > messageLimits.lineLength) return { start: null, fault: bad("The start line is too long") }
  const status = statusLine.exec(line)
  if (status !== null) {
    return { start: { _tag: "Response", status: Number(status[1]), reason: status[2] ?? "" }, fault: null }
  }
  const methodEnd = line.indexOf(" ")
  const uriEnd = line.lastIndexOf(" ")
  const method = line.slice(0, methodEnd)
  if (methodEnd <= 0 || !isToken(method)) return { start: null, fault: bad("The start line is malformed") }
  const uri = line.slice(methodEnd + 1, uriEnd)
  const start: StartLine = { _tag: "Request", method, uri }
  const [, number] = version.exec(line.slice(uriEnd + 1)) ?? []
  if (number === undefined) return { start, fault: bad("The request line has no version of SIP at its end") }
  if (number !== "2.0") return { start, fault: { message: "Version Not Supported", status: 505 } }
  return { start, fault: /^[^\s<>"]+$/.test(uri) ? null : bad("The Request-URI is malformed") }
}

const [carriageReturn, lineFeed] = [0x0d, 0x0a]

/** The end of a line, which may be folded: the offset of its last line feed, or of the end of the text. */
const endOfLine = (text: string, from: number): number => {
  for (let at = from;;) {
    const feed = text.indexOf("\n", at)
    if (feed < 0) return text.length
    if (!isBlank(text.charCodeAt(feed + 1))) return feed
    at = feed + 1
  }
}

/** The line without its end and its folds (RFC 3261, section 7.3.1); null if a CR or LF stands alone in it. */
const unfold = (text: string, from: number, end: number): string | null => {
  let line = text.slice(
    from,
    text.charCodeAt(end) === lineFeed && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end
  )
  if (end < text.length && text.charCodeAt(end - 1) !== carriageReturn) return null
  if (line.includes("\r\n")) line = line.replace(/\r\n[ \t]+/g, " ")
  return line.includes("\n") || line.includes("\r") ? null : line
}

interface Field {
  readonly rule: HeaderRule
  readonly value: string
}

const readField = (line: string): Field | null => {
  const colon = line.indexOf(":")
  if (colon <= 0) return null
  const rule = headerRule(trimBlanks(line, 0, colon))
  return rule === null ? null : { rule, value: trimBlanks(line, colon + 1) }
}

/**
 * Parses start line and header fields (RFC 3261, section 7): compact forms, folded lines, comma lists, white space before
 * a colon. The text ends before the empty line. Reading goes on behind a fault, so that a request can be responded to, but
 * not beyond the limits.
 */
export const readHead = (text: string): Head => {
  const headers: Array<readonly [string, string]> = []
  const singles = new Set<string>()
  let start: StartLine | null = null
  let fault: MessageFault | null = null
  for (let from = 0; from < text.length || from === 0;) {
    const end = endOfLine(text, from)
    const isStart = from === 0
    const line = unfold(text, from, end)
    from = end + 1
    if (line === null) {
      fault ??= bad("A line does not end with CRLF")
      continue
    }
    if (isStart) {
      const read = readStart(line)
      start = read.start
      fault = read.fault
      continue
    }
    const field = readField(line)
    if (field === null) {
      fault ??= bad("A header field is malformed")
      continue
    }
    const { rule: { kind, name }, value } = field
    if (Math.max(name.length, value.length) > messageLimits.lineLength) {
      fault ??= bad("A header field is too long")
      continue
    }
    if (kind === "single") {
      if (singles.has(name)) {
        fault ??= bad(`The message has more than one ${name} header field`)
        continue
      }
      singles.add(name)
    }
    for (const one of kind === "list" ? splitCommas(value) : [value]) headers.push([name, one])
    if (headers.length > messageLimits.headers) {
      return { start, headers: headers.slice(0, messageLimits.headers), fault: bad("The message has too many headers") }
    }
  }
  return { start, headers, fault }
}
