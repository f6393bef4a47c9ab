import { Either } from "effect"
import { parseCSeq } from "../headers/CSeq.js"
import { parseNameAddr } from "../headers/NameAddr.js"
import { parseVia } from "../headers/Via.js"
import { type Head, type MessageFault, readHead } from "./Head.js"
import { messageLimits } from "./Limits.js"
import { MalformedMessage } from "./MalformedMessage.js"
import type { Headers, SipMessage, SipRequest } from "./Message.js"

const noBody = new Uint8Array(0)
const [carriageReturn, lineFeed] = [0x0d, 0x0a]

/**
 * The offset of the empty line that ends the header fields, searched from an offset; -1 if it has not come. The header
 * fields end there, and the body begins four bytes later.
 */
export const endOfHead = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(carriageReturn, from); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) {
    if (bytes[at + 1] === lineFeed && bytes[at + 2] === carriageReturn && bytes[at + 3] === lineFeed) return at
  }
  return -1
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Reads the start line and header fields from their bytes, which end before the empty line. */
export const decodeHead = (bytes: Uint8Array): Head => readHead(decoder.decode(bytes))

const valueOf = (headers: Headers, name: string): string | undefined => headers.find(([key]) => key === name)?.[1]

/** The size of the body as Content-Length gives it: undefined without one, null where it is not a size. */
export const contentLength = ({ headers }: Head): number | null | undefined => {
  const value = valueOf(headers, "content-length")
  if (value === undefined) return undefined
  return /^\d{1,9}$/.test(value) ? Number(value) : null
}

const bad = (message: string): MessageFault => ({ message, status: 400 })

const faultOfAddress = (headers: Headers, name: string): MessageFault | null => {
  const value = valueOf(headers, name)
  if (value === undefined) return bad(`The message has no ${name} header field`)
  return Either.isLeft(parseNameAddr(value)) ? bad(`The ${name} header field is malformed`) : null
}

/** The first fault in the header fields that every message must have (RFC 3261, section 8.1.1). */
const faultOfRequired = ({ headers, start }: Head): MessageFault | null => {
  const vias = headers.filter(([name]) => name === "via")
  if (vias.length === 0) return bad("The message has no via header field")
  if (vias.some(([, value]) => Either.isLeft(parseVia(value)))) return bad("A via header field is malformed")
  const cseq = parseCSeq(valueOf(headers, "cseq") ?? "")
  if (Either.isLeft(cseq)) return bad(cseq.left.message)
  if (start?._tag === "Request" && start.method !== cseq.right.method) {
    return bad("The method of CSeq is not that of the request")
  }
  if ((valueOf(headers, "call-id") ?? "") === "") return bad("The message has no call-id header field")
  return faultOfAddress(headers, "from") ?? faultOfAddress(headers, "to")
}

/** The readable part of a malformed request that can be responded to; null for everything else. */
const salvage = ({ headers, start }: Head): SipRequest | null =>
  start?._tag === "Request" && start.method !== "ACK" && Either.isRight(parseVia(valueOf(headers, "via") ?? ""))
    ? { _tag: "Request", method: start.method, uri: start.uri, headers, body: noBody }
    : null

/** A malformed message with its own fault, or with one that was found outside of its head. */
export const malformedMessage = (head: Head, fault: MessageFault): MalformedMessage =>
  new MalformedMessage({ ...fault, request: salvage(head) })

/** Checks a head that has been read, and joins it with its body. */
export const toMessage = (head: Head, body: Uint8Array): Either.Either<SipMessage, MalformedMessage> => {
  const fault = head.fault ?? faultOfRequired(head)
  if (fault !== null || head.start === null) {
    return Either.left(malformedMessage(head, fault ?? bad("The start line is malformed")))
  }
  return Either.right({ ...head.start, headers: head.headers, body })
}

/** True for a datagram that only keeps a path open: nothing, line ends, or zero bytes (RFC 5626, section 4.4). */
export const isKeepAlive = (datagram: Uint8Array): boolean =>
  datagram.length <= 4 && datagram.every((byte) => byte === carriageReturn || byte === lineFeed || byte === 0)

/**
 * Parses a message that came in a datagram (RFC 3261, sections 7 and 18.3). Line ends before it are skipped, bytes behind
 * its Content-Length are cut off, and without a Content-Length the body is the rest. The body is a copy.
 *
 * Fails where the grammar is broken, a limit of `messageLimits` is exceeded, a required header field is missing or is
 * there twice, the body is shorter than its Content-Length, or CSeq has another method than the request. Values of other
 * header fields are not checked: their own parsers do that.
 *
 * @example
 * ```ts
 * const parsed = parseMessage(datagram)
 * if (Either.isRight(parsed) && parsed.right._tag === "Request") console.log(parsed.right.method)
 * ```
 */
export const parseMessage = (datagram: Uint8Array): Either.Either<SipMessage, MalformedMessage> => {
  let from = 0
  while (datagram[from] === carriageReturn || datagram[from] === lineFeed) from += 1
  const empty = endOfHead(datagram, from)
  const headEnd = empty < 0 ? datagram.length : empty
  const head = decodeHead(datagram.subarray(from, Math.min(headEnd, from + messageLimits.messageBytes)))
  if (datagram.length > messageLimits.messageBytes) {
    return Either.left(malformedMessage(head, { message: "The message is too large", status: 413 }))
  }
  if (empty < 0) return Either.left(malformedMessage(head, bad("No empty line ends the header fields")))
  const length = contentLength(head)
  const rest = datagram.length - headEnd - 4
  if (length === null) return Either.left(malformedMessage(head, bad("The Content-Length is not a size")))
  if (length !== undefined && length > rest) {
    return Either.left(malformedMessage(head, bad("The body is shorter than its Content-Length")))
  }
  return toMessage(
    head,
    length === 0 || rest === 0 ? noBody : new Uint8Array(datagram.subarray(headEnd + 4, headEnd + 4 + (length ?? rest)))
  )
}
