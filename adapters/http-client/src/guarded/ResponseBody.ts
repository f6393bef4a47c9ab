import { Data } from "effect"
import type { Duplex, Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"

/** A body exceeds its size limit. */
export class BodyExceeds extends Data.TaggedError("BodyExceeds")<{ readonly reason: string }> {}

/** Highest compression ratio of legitimate content; higher ones indicate a decompression bomb. */
const maxRatio = 100

/** Decompressed size from which the ratio is checked, because the start of a table compresses very well. */
const ratioCheckedFrom = 1024 * 1024

const chunkSize = 64 * 1024

const decoders: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", () => createGunzip({ chunkSize })],
  ["deflate", () => createInflate({ chunkSize })],
  ["br", () => createBrotliDecompress({ chunkSize })]
])

/** True for a supported `content-encoding` in lower case: none, or one of gzip, deflate and br. */
export const isDecodable = (encoding: string): boolean =>
  encoding === "" || encoding === "identity" || decoders.has(encoding)

/** Error of a body that exceeds the limit. */
export const exceeds = (maxBytes: number) => new BodyExceeds({ reason: `more than ${maxBytes} bytes` })

/**
 * Reads the body of a response and decompresses it while it is read.
 *
 * The limit applies to received and to decompressed bytes, and the compression ratio is at most 100. Rejects with
 * {@link BodyExceeds}, or with the error of the connection or the decompression. A compressed body has to be complete.
 */
export async function* responseBody(
  body: Readable,
  { encoding, maxBytes }: { readonly encoding: string; readonly maxBytes: number }
): AsyncGenerator<Uint8Array, void> {
  let inputBytes = 0
  async function* receive(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of body) {
      inputBytes += chunk.byteLength
      if (inputBytes > maxBytes) throw exceeds(maxBytes)
      yield chunk
    }
  }
  const decoder = decoders.get(encoding)?.()
  if (decoder === undefined) {
    yield* receive()
    return
  }
  const completion = pipeline(receive, decoder)
  completion.catch(() => {})
  let outputBytes = 0
  for await (const chunk of decoder) {
    outputBytes += chunk.byteLength
    if (outputBytes > maxBytes) throw exceeds(maxBytes)
    if (outputBytes > ratioCheckedFrom && outputBytes > inputBytes * maxRatio) {
      throw new BodyExceeds({ reason: `more than ${maxRatio} times its size when decompressed` })
    }
    yield chunk
  }
  // The decoder may end before the body does.
  await completion
}
