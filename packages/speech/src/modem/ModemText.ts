/** Comes before the number of another block, in two bytes. No text that is spoken contains ASCII's "shift out". */
const shift = 0x0e

/** The block of 128 characters that a character is in; every Indic script has one for itself. */
const blockOf = (point: number): number => point >> 7

/** Devanagari, in which every text begins. */
const firstBlock = blockOf(0x0900)

/** What stands for a character that there is not. */
const unknown = 0xfffd

/**
 * The bytes of a text: one a letter, so that every language takes as long as in a mouth. ASCII is itself; what is in the
 * block of the moment is its place there, with the highest bit; another block is named before its first letter.
 */
export const bytesOf = (text: string): ReadonlyArray<number> => {
  let block = firstBlock
  return Array.from(text, (letter) => letter.codePointAt(0) ?? unknown).flatMap((point) => {
    if (point < 0x80 && point !== shift) return [point]
    const place = 0x80 | (point & 0x7f)
    if (blockOf(point) === block) return [place]
    block = blockOf(point)
    return [shift, block >> 8, block & 0xff, place]
  })
}

/** The text of such bytes, whatever they are. */
export const textOf = (bytes: ReadonlyArray<number>): string => {
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
