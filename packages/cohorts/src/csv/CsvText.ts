import { concatBytes } from "@trunkline/kernel"
import type { CsvErrorReason } from "./Csv.js"

/** Decoded text, and the error that ends it, if any. */
export interface CsvText {
  readonly text: string
  readonly error?: CsvErrorReason | undefined
}

/** Decodes the bytes of a file, chunk by chunk. */
interface CsvDecoder {
  /** Decodes a chunk; `last` when no bytes follow. Keeps no reference to the bytes. */
  readonly decode: (bytes: Uint8Array, last: boolean) => CsvText
  /** True once the bytes so far have a byte order mark, or are UTF-16. */
  readonly isMarked: () => boolean
}

interface Encoding {
  readonly label: "utf-8" | "utf-16le" | "utf-16be"
  readonly error: CsvErrorReason
  /** Number of leading bytes that hold complete characters. */
  readonly completeLength: (bytes: Uint8Array) => number
}

const utf8: Encoding = {
  label: "utf-8",
  error: "not_utf8",
  completeLength: (bytes) => {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes.at(-back) ?? 0
      if (byte < 0x80) break
      if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes.length - back : bytes.length
    }
    return bytes.length
  }
}

const utf16 = (label: "utf-16le" | "utf-16be"): Encoding => ({
  label,
  error: "not_utf16",
  completeLength: (bytes) => {
    const even = bytes.length - bytes.length % 2
    const high = (bytes[label === "utf-16le" ? even - 1 : even - 2] ?? 0) >> 2 === 0x36
    return high ? even - 2 : even
  }
})

/** Number of leading bytes that identify the encoding, or another kind of file. */
const signatureBytes = 4

const signatures: ReadonlyArray<readonly [bytes: ReadonlyArray<number>, kind: CsvErrorReason]> = [
  [[0xff, 0xfe, 0x00, 0x00], "utf32"],
  [[0x00, 0x00, 0xfe, 0xff], "utf32"],
  [[0x50, 0x4b, 0x03, 0x04], "xlsx"],
  [[0x50, 0x4b, 0x05, 0x06], "xlsx"],
  [[0xd0, 0xcf, 0x11, 0xe0], "xls"],
  [[0x1f, 0x8b], "gzip"],
  [[0x25, 0x50, 0x44, 0x46], "pdf"]
]

const startsWith = (bytes: Uint8Array, start: ReadonlyArray<number>) =>
  bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte)

/** Detects the encoding and the length of its byte order mark, or another kind of file, from the first four bytes. */
const detectEncoding = (bytes: Uint8Array): readonly [encoding: Encoding, mark: number] | CsvErrorReason => {
  const other = signatures.find(([start]) => startsWith(bytes, start))
  if (other !== undefined) return other[1]
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return [utf8, 3]
  if (startsWith(bytes, [0xff, 0xfe])) return [utf16("utf-16le"), 2]
  if (startsWith(bytes, [0xfe, 0xff])) return [utf16("utf-16be"), 2]
  const zeros = Array.from(bytes.subarray(0, signatureBytes), (byte) => byte === 0 ? "0" : "x").join("")
  if (zeros === "x000" || zeros === "000x") return "utf32"
  if (zeros.startsWith("x0")) return [utf16("utf-16le"), 0]
  if (zeros.startsWith("0x")) return [utf16("utf-16be"), 0]
  return [utf8, 0]
}

/** The result of an attempt at the greatest length, up to `length`, at which it does not throw. It never throws at 0. */
export const longestValidPrefix = <A>(length: number, attempt: (length: number) => A): A => {
  let result = attempt(0)
  let [good, bad] = [0, length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    try {
      result = attempt(middle)
      good = middle
    } catch {
      bad = middle
    }
  }
  return result
}

const decoderOf = ({ label }: Encoding) => new TextDecoder(label, { fatal: true, ignoreBOM: true })

/** Decodes the text before the first invalid byte. */
const decodeValidPrefix = (encoding: Encoding, bytes: Uint8Array): string =>
  longestValidPrefix(
    bytes.length,
    (length) => decoderOf(encoding).decode(bytes.subarray(0, length), { stream: true })
  )

const cutAtNul = (text: string): CsvText => {
  const nul = text.indexOf("\0")
  return nul < 0 ? { text } : { text: text.slice(0, nul), error: "binary" }
}

const makeEncodingDecoder = (encoding: Encoding): CsvDecoder["decode"] => {
  const decoder = decoderOf(encoding)
  let rest: Uint8Array = new Uint8Array(0)
  return (bytes, last) => {
    const buffer = rest.length > 0 ? concatBytes([rest, bytes]) : bytes
    const complete = last ? buffer.length : encoding.completeLength(buffer)
    rest = buffer.slice(complete)
    try {
      // Without the stream option the decoder makes one-byte strings from ASCII.
      return cutAtNul(decoder.decode(buffer.subarray(0, complete)))
    } catch {
      const { error = encoding.error, text } = cutAtNul(decodeValidPrefix(encoding, buffer.subarray(0, complete)))
      return { text, error }
    }
  }
}

/**
 * Makes a decoder for one file: UTF-8 with or without a byte order mark, or UTF-16 with a mark or a zero byte in its first
 * character. It rejects bytes that are invalid in the encoding (in UTF-16 also an odd byte or half a surrogate pair),
 * UTF-32, NUL, and files with the signature of zip (xlsx), xls, gzip or PDF. The text before an error is decoded in full,
 * however the bytes were split into chunks.
 */
export const makeCsvDecoder = (): CsvDecoder => {
  let start: Uint8Array = new Uint8Array(0)
  let decode: CsvDecoder["decode"] | undefined
  let isMarked = false
  return {
    isMarked: () => isMarked,
    decode: (bytes, last) => {
      if (decode !== undefined) return decode(bytes, last)
      start = concatBytes([start, bytes])
      if (start.length < signatureBytes && !last) return { text: "" }
      const detection = detectEncoding(start)
      if (typeof detection === "string") return { text: "", error: detection }
      const [encoding, mark] = detection
      decode = makeEncodingDecoder(encoding)
      isMarked = mark > 0 || encoding !== utf8
      return decode(start.subarray(mark), last)
    }
  }
}
