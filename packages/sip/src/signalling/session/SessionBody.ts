import { parseMediaType } from "../headers/MediaType.js"
import { param, unquote } from "../headers/Params.js"
import { header, type SipMessage } from "../message/Message.js"

/** Content-Type of a session description. */
export const sessionType = "application/sdp"

const encoder = new TextEncoder()
const carriageReturn = 0x0d

/** The offset of a sequence of bytes at or behind an offset; -1 if it is not there. */
const find = (bytes: Uint8Array, pattern: Uint8Array, from: number): number => {
  const first = pattern[0] ?? 0
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (pattern.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

/** Parts that a body may have; the rest is not looked at. */
const maxParts = 16

/** The parts between the delimiters of a multipart body (RFC 2046, section 5.1.1), each with its header fields. */
const partsOf = (body: Uint8Array, boundary: string): ReadonlyArray<Uint8Array> => {
  const delimiter = encoder.encode(`--${boundary}`)
  const parts: Array<Uint8Array> = []
  let from = find(body, delimiter, 0)
  while (from >= 0 && parts.length < maxParts) {
    const next = find(body, delimiter, from + delimiter.length)
    if (next < 0) break
    const end = body[next - 2] === carriageReturn ? next - 2 : next
    parts.push(body.subarray(from + delimiter.length, Math.max(end, from + delimiter.length)))
    from = next
  }
  return parts
}

const emptyLine = encoder.encode("\r\n\r\n")

const sessionInPart = (part: Uint8Array): Uint8Array | null => {
  const end = find(part, emptyLine, 0)
  const head = new TextDecoder().decode(part.subarray(0, Math.max(end, 0)))
  const [, type = ""] = /(?:^|\r\n)(?:content-type|c)[ \t]*:([^\r\n]*)/i.exec(head) ?? []
  return parseMediaType(type)?.type === sessionType ? part.subarray(end + emptyLine.length) : null
}

/**
 * Session description in the body of a message: the body itself, or the first such part of a multipart body, as gateways to
 * the telephone network send it (RFC 5621). Null if there is none; a request with another body is refused with 415.
 */
export const sessionIn = (message: SipMessage): Uint8Array | null => {
  const media = parseMediaType(header(message, "content-type") ?? "")
  if (message.body.length === 0 || media === null) return null
  if (media.type === sessionType) return message.body
  const boundary = unquote(param(media.params, "boundary") ?? "")
  if (!media.type.startsWith("multipart/") || boundary === "" || boundary.length > 70) return null
  for (const part of partsOf(message.body, boundary)) {
    const session = sessionInPart(part)
    if (session !== null) return session
  }
  return null
}
