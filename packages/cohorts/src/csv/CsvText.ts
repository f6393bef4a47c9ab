import { concatBytes } from "@trunkline/kernel"
import type { CsvBreakage } from "./Csv.js"
import { ofLongestBeginning } from "./LongestBeginning.js"

/** What bytes say: text, and why there is no more after it, where there is none. */
export interface CsvText {
  readonly text: string
  readonly refused?: CsvBreakage | undefined
}

/** Turns the bytes of a file into text, piece by piece. */
export interface CsvDecoder {
  /** The text that these bytes complete; `last` when none follow. Keeps no reference to the bytes. */
  readonly decode: (bytes: Uint8Array, last: boolean) => CsvText
}

interface Encoding {
  readonly label: "utf-8" | "utf-16le" | "utf-16be"
  readonly refused: CsvBreakage
  /** How many of these bytes are not a character cut off at the end. */
  readonly whole: (bytes: Uint8Array) => number
}

const utf8: Encoding = {
  label: "utf-8",
  refused: "not_utf8",
  whole: (bytes) => {
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
  refused: "not_utf16",
  whole: (bytes) => {
    const even = bytes.length - bytes.length % 2
    const high = (bytes[label === "utf-16le" ? even - 1 : even - 2] ?? 0) >> 2 === 0x36
    return high ? even - 2 : even
  }
})

/** Bytes that tell the encoding of a file, and whether it is another kind of file. */
const signatureBytes = 4

const signatures: ReadonlyArray<readonly [bytes: ReadonlyArray<number>, kind: CsvBreakage]> = [
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

/** An encoding and the length of its mark, or why the file is refused, from the file's first four bytes. */
const recognise = (bytes: Uint8Array): readonly [encoding: Encoding, mark: number] | CsvBreakage => {
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

const decoderOf = ({ label }: Encoding) => new TextDecoder(label, { fatal: true, ignoreBOM: true })

/** The text before the first bytes that are no text. */
const textBeforeFault = (encoding: Encoding, bytes: Uint8Array): string =>
  ofLongestBeginning(
    bytes.length,
    (length) => decoderOf(encoding).decode(bytes.subarray(0, length), { stream: true })
  )

const untilNul = (text: string): CsvText => {
  const nul = text.indexOf("\0")
  return nul < 0 ? { text } : { text: text.slice(0, nul), refused: "binary" }
}

const openEncoding = (encoding: Encoding): CsvDecoder["decode"] => {
  const decoder = decoderOf(encoding)
  let cutOff: Uint8Array = new Uint8Array(0)
  return (bytes, last) => {
    const all = cutOff.length > 0 ? concatBytes([cutOff, bytes]) : bytes
    const whole = last ? all.length : encoding.whole(all)
    cutOff = all.slice(whole)
    try {
      // A decoder that is not told of a stream makes strings of one byte per character from ASCII.
      return untilNul(decoder.decode(all.subarray(0, whole)))
    } catch {
      const { refused = encoding.refused, text } = untilNul(textBeforeFault(encoding, all.subarray(0, whole)))
      return { text, refused }
    }
  }
}

/**
 * A decoder of one file: UTF-8 with or without a byte order mark, UTF-16 by its mark or by the zero byte of its first
 * character. All else is refused: bytes that are no text in the file's encoding (UTF-16 with an odd byte or half a
 * character among them), UTF-32, NUL, and files that begin as zip (xlsx), xls, gzip or PDF do. What is text before the
 * fault is given whole, wherever the bytes were cut.
 */
export const openCsvText = (): CsvDecoder => {
  let start: Uint8Array = new Uint8Array(0)
  let decode: CsvDecoder["decode"] | undefined
  return {
    decode: (bytes, last) => {
      if (decode !== undefined) return decode(bytes, last)
      start = concatBytes([start, bytes])
      if (start.length < signatureBytes && !last) return { text: "" }
      const recognised = recognise(start)
      if (typeof recognised === "string") return { text: "", refused: recognised }
      const [encoding, mark] = recognised
      decode = openEncoding(encoding)
      return decode(start.subarray(mark), last)
    }
  }
}
