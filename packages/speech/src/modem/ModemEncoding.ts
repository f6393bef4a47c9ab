/** Pilot tones in hertz: `edge` marks the start and the end of an utterance, `beat` keeps time inside it. */
export const pilots = { edge: 1300, beat: 1500 } as const

/** Name of a pilot tone. */
export type Pilot = keyof typeof pilots

/** One symbol of the signal: a byte (two tones), or a pilot tone. */
export type ModemSymbol = number | Pilot

/** The first tone of a byte, in hertz, by its upper four bits. */
export const lowTones: ReadonlyArray<number> = Array.from({ length: 16 }, (_, index) => 400 + 50 * index)

/** The second tone of a byte, in hertz, by its lower four bits. */
export const highTones: ReadonlyArray<number> = Array.from({ length: 16 }, (_, index) => 1700 + 50 * index)

/** Start of every utterance. Its beats are two symbols apart, which gives the symbol length. */
export const preamble: ReadonlyArray<Pilot> = ["edge", "beat", "edge", "beat"]

/** Bytes between beats, which keep the decoder in time however the audio is stretched. */
export const bytesPerBeat = 16

/**
 * Symbols of an utterance: the preamble, the number of bytes (modulo 256), the bytes, and an edge. A beat follows every 16
 * bytes, the length byte included.
 */
export const encodeSymbols = (bytes: ReadonlyArray<number>): ReadonlyArray<ModemSymbol> => [
  ...preamble,
  ...[bytes.length & 0xff, ...bytes].flatMap((byte, index): ReadonlyArray<ModemSymbol> =>
    index > 0 && index % bytesPerBeat === 0 ? ["beat", byte] : [byte]
  ),
  "edge"
]

/** Precedes the two-byte number of another block. Texts to speak do not contain ASCII's "shift out". */
const shift = 0x0e

/** The block of 128 code points that contains a code point; every Indic script has its own block. */
const blockOf = (point: number): number => point >> 7

/** Devanagari, the initial block of every text. */
const firstBlock = blockOf(0x0900)

/** U+FFFD, in place of invalid code points. */
const unknown = 0xfffd

/**
 * Encodes a text with one byte per letter, so that durations are realistic in every language. ASCII is encoded as itself,
 * letters of the current block as their index with the highest bit set, and a change of block by a shift sequence.
 */
export const encodeText = (text: string): ReadonlyArray<number> => {
  let block = firstBlock
  return Array.from(text, (letter) => letter.codePointAt(0) ?? unknown).flatMap((point) => {
    if (point < 0x80 && point !== shift) return [point]
    const place = 0x80 | (point & 0x7f)
    if (blockOf(point) === block) return [place]
    block = blockOf(point)
    return [shift, block >> 8, block & 0xff, place]
  })
}

/** Decodes bytes of `encodeText`; damaged bytes decode to other characters, never to an error. */
export const decodeText = (bytes: ReadonlyArray<number>): string => {
  let block = firstBlock
  let text = ""
  for (let index = 0; index < bytes.length; index++) {
    const [byte = 0, upper = 0, lower = 0] = bytes.slice(index, index + 3)
    if (byte === shift) {
      block = upper << 8 | lower
      index += 2
    } else {
      const point = byte < 0x80 ? byte : block << 7 | (byte & 0x7f)
      text += String.fromCodePoint(point > 0x10ffff ? unknown : point)
    }
  }
  return text
}
