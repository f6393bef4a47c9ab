import type { buildConnector } from "undici/index.js"

/** Bytes of interim responses before a final one, as many as Node allows for headers. */
const interimBytes = 16_384

/** Interim responses are too many. The code is the one of undici for headers that are too large. */
class InterimExceeds extends Error {
  override readonly name = "InterimExceeds"
  readonly code = "UND_ERR_HEADERS_OVERFLOW"
  constructor() {
    super("The interim responses are too long")
  }
}

/** Drops interim responses from the bytes of a connection. */
export interface InterimFilter {
  /** A request is sent: its response may begin with interim ones. */
  readonly begin: () => void
  /** Rest of the bytes that have arrived; null when there is none. Throws beyond 16 KB of interim responses. */
  readonly pass: (bytes: Buffer) => Buffer | null
}

const interimBeginning = "HTTP/1.x 1"
const headEnd = "\r\n\r\n"

/** Length of the status line that tells an interim response from others, up to its status. */
const statusEnd = interimBeginning.length + 2

const interimPattern = /^HTTP\/1\.\d 1(?!01)\d\d/

/** True while the text may be the beginning of the status line of an interim response. */
const mayBegin = (text: string): boolean =>
  interimPattern.test((text.slice(0, statusEnd) + "HTTP/1.1 100".slice(text.length)).slice(0, statusEnd))

/** Makes a filter for a connection without pipelining. */
export const makeInterimFilter = (): InterimFilter => {
  let isBeginning = true
  let buffer: Buffer | null = null
  let droppedBytes = 0

  const passOn = (bytes: Buffer): Buffer => {
    isBeginning = false
    buffer = null
    return bytes
  }

  const drop = (bytes: Buffer): Buffer | null => {
    if (bytes.length === 0) {
      buffer = null
      return null
    }
    const status = bytes.toString("latin1", 0, statusEnd)
    if (!mayBegin(status)) return passOn(bytes)
    const end = status.length < statusEnd ? -1 : bytes.indexOf(headEnd)
    if (droppedBytes + (end < 0 ? bytes.length : end) > interimBytes) throw new InterimExceeds()
    if (end < 0) {
      buffer = bytes
      return null
    }
    droppedBytes += end + headEnd.length
    return drop(bytes.subarray(end + headEnd.length))
  }

  return {
    begin: () => {
      if (isBeginning) return
      isBeginning = true
      droppedBytes = 0
    },
    pass: (bytes) => isBeginning ? drop(buffer === null ? bytes : Buffer.concat([buffer, bytes])) : bytes
  }
}

/**
 * Makes the connections of a connector skip interim responses (RFC 9110, section 15.2), which a server may send although
 * nobody asked for them: undici closes a connection on `100 Continue`. Bodies must be texts or bytes, which undici writes
 * together with the head of their request, and connections must not be pipelined.
 */
export const skipInterimResponses =
  (connect: buildConnector.connector): buildConnector.connector => (target, callback) =>
    connect(target, (...result) => {
      const [error, socket] = result
      if (error === null) {
        const filter = makeInterimFilter()
        const { read, write } = socket
        Object.assign(socket, {
          write: (...args: ReadonlyArray<unknown>) => {
            filter.begin()
            return Reflect.apply(write, socket, args)
          },
          read: (...args: ReadonlyArray<unknown>): Buffer | null => {
            for (;;) {
              const bytes: Buffer | null = Reflect.apply(read, socket, args)
              if (bytes === null) return null
              try {
                const rest = filter.pass(bytes)
                if (rest !== null) return rest
              } catch (error) {
                socket.destroy(error instanceof Error ? error : undefined)
                return null
              }
            }
          }
        })
      }
      callback(...result)
    })
