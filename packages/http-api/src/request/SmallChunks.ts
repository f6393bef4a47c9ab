/** The client sent a body in chunks that cost more to read than they hold. */
export class ChunksTooSmall extends Error {
  override readonly name = "ChunksTooSmall"

  constructor() {
    super("The body arrived in chunks of a few bytes each. Send chunks of at least 1,024 bytes.")
  }
}

/** Bytes from the network for each byte of a body beyond which its chunks are too small: 6 for chunks of one byte. */
const maxOverhead = 3

/** Bytes from the network for which chunks may have any size, since a small body costs little. */
const freeBytes = 16_384

/**
 * Makes a check of the chunks of a body (RFC 9112, section 7.1), which is given the bytes of each piece and the bytes that its
 * connection has read in all. It returns false once most bytes are frames: a parser takes some microseconds for each chunk,
 * so that a client could keep it busy with little. The latest read of the connection does not count yet, since it may hold
 * further pieces, and further requests.
 */
export const makeChunkCheck = (readBefore: number): (bytes: number, readInAll: number) => boolean => {
  let byteCount = 0
  let latest = readBefore
  let previous = readBefore
  return (bytes, readInAll) => {
    if (readInAll !== latest) {
      previous = latest
      latest = readInAll
    }
    const isFit = previous - readBefore <= maxOverhead * byteCount + freeBytes
    byteCount += bytes
    return isFit
  }
}
