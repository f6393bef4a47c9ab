import { spellHeader } from "./HeaderNames.js"
import type { SipMessage } from "./Message.js"

const encoder = new TextEncoder()

/** A value on one line: a line end in it would begin another header field. */
const onOneLine = (text: string): string =>
  text.includes("\r") || text.includes("\n") ? text.replace(/[\r\n]+/g, " ") : text

/**
 * Writes a message: each value on a line of its own, with names as they are usually spelled. Content-Length is that of the
 * body, whatever the headers say. Line ends within a value become spaces.
 */
export const writeMessage = (message: SipMessage): Uint8Array => {
  let text = message._tag === "Request"
    ? `${message.method} ${onOneLine(message.uri)} SIP/2.0\r\n`
    : `SIP/2.0 ${message.status} ${onOneLine(message.reason)}\r\n`
  for (const [name, value] of message.headers) {
    if (name !== "content-length") text += `${spellHeader(name)}: ${onOneLine(value)}\r\n`
  }
  text += `Content-Length: ${message.body.length}\r\n\r\n`
  const head = encoder.encode(text)
  if (message.body.length === 0) return head
  const bytes = new Uint8Array(head.length + message.body.length)
  bytes.set(head)
  bytes.set(message.body, head.length)
  return bytes
}
