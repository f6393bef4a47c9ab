import { formatTime, truncateText } from "@trunkline/charts"
import type { Advances } from "../text/Advances.js"
import { syllablesOf } from "../text/Syllables.js"
import { fontSizes } from "./Style.js"

/** Font of a text. */
export interface Font {
  readonly size: number
  readonly bold?: boolean
}

/** Fits texts into widths. */
export interface TextFit {
  /** Width of a text. */
  readonly width: (text: string, font: Font) => number
  /** Truncates a text to a width, with an ellipsis at the end. */
  readonly truncate: (text: string, font: Font, width: number) => string
  /**
   * Truncates a text to a width, with an ellipsis in the middle: names of one kind mostly differ at their ends. Syllables
   * stay whole.
   */
  readonly truncateMiddle: (text: string, font: Font, width: number) => string
  /** Wraps a text into lines, as many as allowed; the last one is truncated. */
  readonly wrap: (
    text: string,
    font: Font,
    room: { readonly width: number; readonly lines: number }
  ) => ReadonlyArray<string>
}

/** Fits texts by their measured widths. */
export const makeTextFit = (advances: Advances): TextFit => {
  const width = (text: string, { bold = false, size }: Font) => size * advances.widthOf(text, bold)

  const truncate = (text: string, font: Font, room: number): string => {
    if (width(text, font) <= room) return text
    let [low, high] = [1, [...text].length]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (width(truncateText(text, middle), font) <= room) low = middle
      else high = middle - 1
    }
    const short = truncateText(text, low)
    return short === text ? "…" : short
  }

  const truncateMiddle = (text: string, font: Font, room: number): string => {
    if (width(text, font) <= room) return text
    const syllables = syllablesOf(text)
    const keeping = (count: number): string => {
      const head = syllables.slice(0, Math.ceil(count / 2)).join("").trimEnd()
      const tail = syllables.slice(syllables.length - Math.floor(count / 2)).join("").trimStart()
      return `${head}…${tail}`
    }
    let [low, high] = [0, syllables.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (width(keeping(middle), font) <= room) low = middle
      else high = middle - 1
    }
    return keeping(low)
  }

  return {
    width,
    truncate,
    truncateMiddle,
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
          return [...lines, truncate([line, ...words.slice(index)].join(" ").trim(), font, room.width)]
        }
        lines.push(line)
        line = word
      }
      return [...lines, truncate(line, font, room.width)]
    }
  }
}

/** Labels of categories under an axis. */
export interface CategoryLabels {
  readonly texts: ReadonlyArray<string>
  /** Rotation in degrees. */
  readonly rotate: number
  /** Interval of the labels that are shown: 2 for every second one. */
  readonly step: number
}

const labelFont = { size: fontSizes.label }
const labelGap = 10
const maxLabelWidth = 130

const isWhole = (lines: ReadonlyArray<string>, label: string): boolean => lines.join(" ") === label

/**
 * Lays out the labels of categories of a width: horizontal if all fit, on two lines if they fit so, and else rotated and
 * truncated in the middle. If even those do not fit, only every second or third is shown; with `thin`, that comes before
 * rotation.
 */
export const categoryLabels = (
  labels: ReadonlyArray<string>,
  band: number,
  { fit, thin }: { readonly fit: TextFit; readonly thin: boolean }
): CategoryLabels => {
  const widest = labels.reduce((width, label) => Math.max(width, fit.width(label, labelFont)), 0)
  if (widest + labelGap <= band) return { texts: labels, rotate: 0, step: 1 }
  if (!thin && band >= 48) {
    const wrappedLabels = labels.map((label) => fit.wrap(label, labelFont, { width: band - labelGap, lines: 2 }))
    if (wrappedLabels.every((lines, index) => isWhole(lines, labels[index] ?? ""))) {
      return { texts: wrappedLabels.map((lines) => lines.join("\n")), rotate: 0, step: 1 }
    }
  }
  const texts = labels.map((label) => fit.truncateMiddle(label, labelFont, maxLabelWidth))
  if (thin) {
    const step = Math.ceil((Math.min(widest, maxLabelWidth) + labelGap) / band)
    return { texts, rotate: 0, step }
  }
  return { texts, rotate: 40, step: Math.max(1, Math.ceil(1.5 * fontSizes.label / band)) }
}

const day = 86_400_000

/** Label of a time on an axis that spans this many milliseconds. */
export const timeLabel = (at: number, span: number): string => {
  if (span > 300 * day) return formatTime(at, "month", true)
  if (at % day === 0) return formatTime(at, "day", false)
  return formatTime(at, "minute", false).replace(/^.*, /, "")
}
