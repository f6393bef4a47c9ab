import { Either } from "effect"
import type { Head, MessageFault } from "./Head.js"
import { messageLimits } from "./Limits.js"
import type { MalformedMessage } from "./MalformedMessage.js"
import type { SipMessage } from "./Message.js"
import { contentLength, decodeHead, endOfHead, malformedMessage, toMessage } from "./ParseMessage.js"

/** Something that was found in a stream. */
export type Framed =
  | { readonly _tag: "Message"; readonly message: SipMessage }
  /** A message whose end is known, so that the stream goes on behind it. */
  | { readonly _tag: "Malformed"; readonly error: MalformedMessage }
  /** Two line ends between messages: the peer waits for one in return (RFC 5626, section 4.4.1). */
  | { readonly _tag: "Ping" }
  /** A line end between messages: the answer to a ping. */
  | { readonly _tag: "Pong" }
  /** The end of a message cannot be found: nothing more is read, and the connection is to be closed. */
  | { readonly _tag: "Broken"; readonly error: MalformedMessage }

/** Cuts a stream of bytes, such as a TCP connection, into messages. */
export interface MessageFramer {
  /** Adds bytes, and returns what they complete. Bytes of a message that has not ended are kept, at most 64 KB. */
  readonly push: (bytes: Uint8Array) => ReadonlyArray<Framed>
}

const [carriageReturn, lineFeed] = [0x0d, 0x0a]
const emptyLineBytes = 4

/** Bytes that wait for the rest of their message. The space for them doubles when it is full. */
const makePending = () => {
  let space = new Uint8Array(0)
  let length = 0
  return {
    add: (bytes: Uint8Array) => {
      if (length + bytes.length > space.length) {
        const larger = new Uint8Array(Math.max(2 * space.length, length + bytes.length))
        larger.set(space.subarray(0, length))
        space = larger
      }
      space.set(bytes, length)
      length += bytes.length
      return space.subarray(0, length)
    },
    keep: (bytes: Uint8Array) => {
      if (bytes.length === 0) space = new Uint8Array(0)
      else if (bytes.buffer !== space.buffer || bytes.byteOffset > 0) space = new Uint8Array(bytes)
      length = bytes.length
    },
    get isEmpty() {
      return length === 0
    }
  }
}

/**
 * Makes a framer for one connection (RFC 3261, sections 7.5 and 18.3). A message needs a Content-Length. A message that is
 * malformed but has an end is reported, and reading goes on; one without a valid Content-Length, or that exceeds 64 KB, ends
 * the reading as soon as that is known. Bodies are copies.
 *
 * @example
 * ```ts
 * const framer = makeMessageFramer()
 * socket.on("data", (bytes) => framer.push(bytes).forEach(receive))
 * ```
 */
export const makeMessageFramer = (): MessageFramer => {
  const pending = makePending()
  /** Bytes in which no empty line is; the search goes on behind them. */
  let searchOffset = 0
  /** The head of the message whose body is awaited. */
  let head: { readonly read: Head; readonly bodyFrom: number; readonly end: number } | null = null
  let endedWithPong = false
  let isBroken = false

  /** Line ends before a message; a pair that came in two parts is a pong first, then a ping. */
  const readLineEnds = (bytes: Uint8Array, from: number, frames: Array<Framed>): number => {
    let at = from
    while (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) {
      const isSecond = endedWithPong
      endedWithPong = false
      if (isSecond) frames.push({ _tag: "Ping" })
      else if (bytes[at + 2] === carriageReturn && bytes[at + 3] === lineFeed) {
        frames.push({ _tag: "Ping" })
        at += 2
      } else {
        frames.push({ _tag: "Pong" })
        endedWithPong = at + 2 === bytes.length || at + 3 === bytes.length && bytes[at + 2] === carriageReturn
      }
      at += 2
    }
    return at
  }

  /** Reads one message from an offset; null when its end has not come, or never comes. */
  const readMessage = (bytes: Uint8Array, from: number, frames: Array<Framed>): number | null => {
    const fail = (read: Head, fault: MessageFault) => {
      isBroken = true
      frames.push({ _tag: "Broken", error: malformedMessage(read, fault) })
      return null
    }
    const tooLarge: MessageFault = { message: "The message is too large", status: 413 }
    if (head === null) {
      const empty = endOfHead(bytes, from + searchOffset)
      if (empty < 0) {
        searchOffset = Math.max(bytes.length - from - emptyLineBytes + 1, 0)
        if (bytes.length - from <= messageLimits.messageBytes) return null
        return fail(decodeHead(bytes.subarray(from, from + messageLimits.messageBytes)), tooLarge)
      }
      const read = decodeHead(bytes.subarray(from, Math.min(empty, from + messageLimits.messageBytes)))
      const length = contentLength(read)
      const bodyFrom = empty - from + emptyLineBytes
      if (typeof length !== "number") {
        return fail(read, { message: "The message has no valid Content-Length", status: 400 })
      }
      if (bodyFrom + length > messageLimits.messageBytes) return fail(read, tooLarge)
      head = { read, bodyFrom, end: bodyFrom + length }
    }
    const { bodyFrom, end, read } = head
    if (bytes.length < from + end) return null
    head = null
    searchOffset = 0
    frames.push(Either.match(toMessage(read, new Uint8Array(bytes.subarray(from + bodyFrom, from + end))), {
      onLeft: (error) => ({ _tag: "Malformed", error }),
      onRight: (message) => ({ _tag: "Message", message })
    }))
    return from + end
  }

  return {
    push: (chunk) => {
      if (isBroken) return []
      const bytes = pending.isEmpty ? chunk : pending.add(chunk)
      const frames: Array<Framed> = []
      let at = 0
      while (at < bytes.length) {
        if (head === null) at = readLineEnds(bytes, at, frames)
        if (at === bytes.length) break
        const end = readMessage(bytes, at, frames)
        if (end === null) break
        endedWithPong = false
        at = end
      }
      pending.keep(isBroken ? bytes.subarray(0, 0) : bytes.subarray(at))
      return frames
    }
  }
}
