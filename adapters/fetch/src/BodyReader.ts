import { type BodyPace, lingerLimits, measureProgress } from "@trunkline/http-api"
import { concatBytes } from "@trunkline/kernel"

/** Result of a promise; undefined when it takes longer, in milliseconds. A process that was busy looks again. */
export const waitFor = async <A>(promise: Promise<A>, millis: number): Promise<A | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), millis)
  })
  return Promise.race([promise, timeout.then(() => undefined)]).finally(() => clearTimeout(timer))
}

/** A body counts as quiet, and its response is sent, when nothing arrives for so long, in milliseconds. */
const quiet = 1_000

/**
 * Reads and discards the rest of a body, within the limits of lingering, and completes when it has arrived or is quiet.
 * Hosts close the connection after a response to a body that they have not read, so that the client would see a reset in
 * place of the response.
 */
export const drainBody = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  if (body.locked) return
  const reader = body.getReader()
  const { bytes, idle, total } = lingerLimits
  const until = performance.now() + total
  let remaining = bytes

  const readOn = async (becameQuiet: () => void): Promise<void> => {
    while (remaining > 0 && performance.now() < until) {
      const reading = reader.read()
      const soon = await waitFor(reading, quiet)
      if (soon === undefined) becameQuiet()
      const piece = soon ?? await waitFor(reading, idle - quiet)
      if (piece === undefined || piece.done) return
      remaining -= piece.value.byteLength
    }
  }

  await new Promise<void>((resolve) => {
    const stop = () => {
      reader.cancel().catch(() => undefined)
      resolve()
    }
    readOn(resolve).then(stop, stop)
  })
}

/** Small pieces of a body are collected for so long, in milliseconds, or up to so many bytes. */
const batch = { millis: 20, bytes: 4_096 }

/** The next pieces of a body, those that arrive shortly after each other as one; undefined at its end. */
export type NextPieces = () => Promise<Uint8Array | undefined>

/** Reads a body in batches, so that a client that sends byte by byte costs little, and gives up one that is too slow. */
export const batchesOf = (reader: ReadableStreamDefaultReader<Uint8Array>, pace: BodyPace): NextPieces => {
  const progress = measureProgress(pace)
  let reading: ReturnType<typeof reader.read> | undefined

  /** The next piece, unless it takes longer: then undefined, and the piece is part of the next read. */
  const within = async (millis: number) => {
    reading ??= reader.read()
    const piece = await waitFor(reading, millis)
    if (piece !== undefined) reading = undefined
    return piece
  }

  return async () => {
    const since = performance.now()
    const first = await within(progress.patience())
    if (first === undefined) throw progress.tooSlow()
    progress.countBytes(first.value?.byteLength ?? 0, performance.now() - since)
    if (first.value === undefined || first.value.byteLength >= batch.bytes) return first.value
    const pieces: Array<Uint8Array> = [first.value]
    const until = performance.now() + batch.millis
    for (let bytes = first.value.byteLength; bytes < batch.bytes;) {
      const piece = await within(until - performance.now())
      if (piece?.value === undefined) {
        // The end is read again.
        if (piece !== undefined) reading = Promise.resolve(piece)
        break
      }
      pieces.push(piece.value)
      bytes += piece.value.byteLength
      progress.countBytes(piece.value.byteLength, 0)
    }
    return pieces.length === 1 ? first.value : concatBytes(pieces)
  }
}
