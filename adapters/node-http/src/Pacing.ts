import type { IncomingMessage } from "node:http"

/** Largest piece of a body that counts as small, in bytes: handling it takes as long as a whole packet does. */
const smallBytes = 1_024

/** Small pieces of a body that are read at once. */
const freePieces = 32

/** Pause after further ones, in milliseconds, unless they come in large numbers. The operating system collects meanwhile. */
const pause = 100

/** Bytes in small pieces after which the next ones are read without that pause. */
const manyBytes = 4_096

/** Milliseconds that each small piece delays the next: all bodies together have at most 40,000 of them a second. */
const pieceTime = 0.025

/** Limits how often small pieces of the body of a request are read. */
export type PaceBody = (request: IncomingMessage) => void

/**
 * Makes the pacing of the bodies of a server. A client that sends byte by byte would otherwise occupy the event loop for
 * some microseconds for each byte. Bodies in pieces of a usual size are not slowed down.
 */
export const makePacing = (): PaceBody => {
  let freeAt = 0
  return (request) => {
    const { _read: read, push } = request
    let pieces = 0
    let bytes = 0
    let resumeAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    // Node's parser stops reading from the connection when `push` returns false, and starts again with `_read`.
    request.push = (piece, encoding) => {
      const isWanted = push.call(request, piece, encoding)
      if (piece === null || piece.length > smallBytes || ++pieces <= freePieces) return isWanted
      const now = performance.now()
      bytes += piece.length
      freeAt = Math.max(freeAt, now) + pieceTime
      resumeAt = bytes < manyBytes ? Math.max(now + pause, freeAt) : freeAt
      return false
    }
    request._read = (size) => {
      const wait = resumeAt - performance.now()
      if (wait > 0) {
        timer ??= setTimeout(() => {
          timer = undefined
          request._read(size)
        }, wait)
      } else {
        bytes = 0
        read.call(request, size)
      }
    }
  }
}
