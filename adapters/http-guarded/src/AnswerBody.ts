import { Data } from "effect"
import type { Duplex, Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"

/** A body grew past what is taken of it. */
export class BodyExceeds extends Data.TaggedError("BodyExceeds")<{ readonly reason: string }> {}

/** Nothing that people make compresses better; what does is made to fill memory (design: reliability 3.3). */
const maxRatio = 100

/** Below this many decompressed bytes the ratio is not looked at: the head of any table compresses well. */
const ratioCountsFrom = 1024 * 1024

const chunkSize = 64 * 1024

const decoders: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", () => createGunzip({ chunkSize })],
  ["deflate", () => createInflate({ chunkSize })],
  ["br", () => createBrotliDecompress({ chunkSize })]
])

/** Whether a `content-encoding`, in lower case, can be undone: none, or a single one of gzip, deflate and br. */
export const isDecodable = (encoding: string): boolean =>
  encoding === "" || encoding === "identity" || decoders.has(encoding)

/** Why the bytes so far are too many, for bodies of this limit. */
export const exceeds = (maxBytes: number) => new BodyExceeds({ reason: `more than ${maxBytes} bytes` })

/**
 * The body of an answer, decompressed as it is read, and no faster than it is read.
 *
 * Both what arrives and what it decompresses to are held to the limit, and to at most a hundred bytes of the latter
 * for each of the former. Rejects with {@link BodyExceeds}, or with the error that broke the connection or the
 * compression; a compressed body has to arrive whole, too.
 */
export async function* answerBody(
  body: Readable,
  { encoding, maxBytes }: { readonly encoding: string; readonly maxBytes: number }
): AsyncGenerator<Uint8Array, void> {
  let received = 0
  async function* arriving(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of body) {
      received += piece.byteLength
      if (received > maxBytes) throw exceeds(maxBytes)
      yield piece
    }
  }
  const decoder = decoders.get(encoding)?.()
  if (decoder === undefined) {
    yield* arriving()
    return
  }
  const whole = pipeline(arriving, decoder)
  whole.catch(() => {})
  let decoded = 0
  for await (const piece of decoder) {
    decoded += piece.byteLength
    if (decoded > maxBytes) throw exceeds(maxBytes)
    if (decoded > ratioCountsFrom && decoded > received * maxRatio) {
      throw new BodyExceeds({ reason: `more than ${maxRatio} times its size when decompressed` })
    }
    yield piece
  }
  // A decoder may be done before the body is.
  await whole
}
