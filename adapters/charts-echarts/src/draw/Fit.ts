import { shorten } from "@trunkline/charts"
import type { Advances } from "../text/Advances.js"
import { syllablesOf } from "../text/Pieces.js"

/** How a text is measured: its size, and whether it is bold. */
export interface Font {
  readonly size: number
  readonly bold?: boolean
}

/** Fits texts into widths. */
export interface Fit {
  /** The width of a text. */
  readonly width: (text: string, font: Font) => number
  /** As much of a text as fits, with an ellipsis where something is missing. */
  readonly cut: (text: string, font: Font, width: number) => string
  /**
   * The head and the tail of a text, with an ellipsis between them where it does not fit: names of one kind mostly differ
   * at their ends. Syllables stay whole.
   */
  readonly cutMiddle: (text: string, font: Font, width: number) => string
  /** Lines of words, as many as allowed; the last is cut. */
  readonly wrap: (
    text: string,
    font: Font,
    room: { readonly width: number; readonly lines: number }
  ) => ReadonlyArray<string>
}

/** Fits texts by their measured widths. */
export const makeFit = (advances: Advances): Fit => {
  const width = (text: string, { bold = false, size }: Font) => size * advances.widthOf(text, bold)

  const cut = (text: string, font: Font, room: number): string => {
    if (width(text, font) <= room) return text
    let [least, most] = [1, [...text].length]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if (width(shorten(text, middle), font) <= room) least = middle
      else most = middle - 1
    }
    const short = shorten(text, least)
    return short === text ? "…" : short
  }

  const cutMiddle = (text: string, font: Font, room: number): string => {
    if (width(text, font) <= room) return text
    const syllables = syllablesOf(text)
    const keeping = (count: number): string => {
      const head = syllables.slice(0, Math.ceil(count / 2)).join("").trimEnd()
      const tail = syllables.slice(syllables.length - Math.floor(count / 2)).join("").trimStart()
      return `${head}…${tail}`
    }
    let [least, most] = [0, syllables.length - 1]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if (width(keeping(middle), font) <= room) least = middle
      else most = middle - 1
    }
    return keeping(least)
  }

  return {
    width,
    cut,
    cutMiddle,
    wrap: (text, font, room) => {
      const lines: Array<string> = []
      let line = ""
      const words = text.split(" ")
      for (const [index, word] of words.entries()) {
        const longer = line === "" ? word : `${line} ${word}`
        if (width(longer, font) <= room.width) {
          line = longer
          continue
        }
        if (lines.length + 1 === room.lines || line === "") {
          return [...lines, cut([line, ...words.slice(index)].join(" ").trim(), font, room.width)]
        }
        lines.push(line)
        line = word
      }
      return [...lines, cut(line, font, room.width)]
    }
  }
}
