import type { Block } from "@trunkline/knowledge"

/** A piece of text as a PDF places it. */
export interface PdfItem {
  readonly str: string
  readonly hasEOL: boolean
  /** Height of the letters in points; 0 for spaces. */
  readonly height: number
  /** Distance of the base line from the bottom of the page, in points. */
  readonly y: number
}

/** A line of a page. */
export interface PdfLine {
  readonly text: string
  readonly height: number
  readonly y: number
  readonly page: number
}

/** Ratio to the size of most text from which on a line is a heading. */
const headingRatio = 1.15

/** Longest heading in characters: a page of large print is no heading. */
const maxHeadingLength = 150

/** Distance between lines of different paragraphs, in heights of the letters. */
const paragraphGap = 1.75

/** Pages from which on lines that most of them share are left out, as they are headers and footers. */
const pagesWithHeaders = 4

/** Joins the pieces of a page to lines, in the order in which the page has them. */
export const linesOf = (items: ReadonlyArray<PdfItem>, page: number): ReadonlyArray<PdfLine> => {
  const lines: Array<PdfLine> = []
  let text = ""
  let height = 0
  let y = 0
  const close = () => {
    if (text.trim() !== "") lines.push({ text: text.trim(), height, y, page })
    text = ""
    height = 0
  }
  for (const item of items) {
    const isVisible = item.str.trim() !== ""
    if (isVisible && text.trim() !== "" && Math.abs(item.y - y) > Math.max(height, item.height) / 2) close()
    text += item.str
    if (isVisible) {
      height = Math.max(height, item.height)
      y = item.y
    }
    if (item.hasEOL) close()
  }
  close()
  return lines
}

/** Height of the letters of most text. */
const bodyHeight = (lines: ReadonlyArray<PdfLine>): number => {
  const lengths = new Map<number, number>()
  for (const { height, text } of lines) {
    const size = Math.round(height * 2) / 2
    lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  }
  return [...lengths].reduce((best, each) => each[1] > best[1] ? each : best, [0, 0])[0]
}

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, "#")

/** Texts that most pages have a line of, as `keyOf` compares lines. */
const repeatedTexts = (
  lines: ReadonlyArray<PdfLine>,
  pages: number,
  keyOf: (text: string) => string
): ReadonlySet<string> => {
  if (pages < pagesWithHeaders) return new Set()
  const pagesOf = new Map<string, Set<number>>()
  for (const { page, text } of lines) {
    const key = keyOf(text)
    pagesOf.set(key, (pagesOf.get(key) ?? new Set()).add(page))
  }
  return new Set([...pagesOf].filter(([, of]) => of.size > pages * 0.6).map(([text]) => text))
}

const joinLines = (before: string, line: string): string =>
  /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`

/**
 * Joins lines to headings and paragraphs. A PDF has neither: what is larger than most text is a heading, the larger the further
 * out, and what stands apart is a paragraph. Headers and footers are left out.
 */
export const blocksOfLines = (allPdfLines: ReadonlyArray<PdfLine>, pages: number): ReadonlyArray<Block> => {
  const same = repeatedTexts(allPdfLines, pages, (text) => text)
  const numbered = repeatedTexts(allPdfLines, pages, withoutNumbers)
  const body = bodyHeight(allPdfLines.filter(({ text }) => !numbered.has(withoutNumbers(text))))
  const isLarge = ({ height }: PdfLine) => height >= body * headingRatio
  // Numbered headings, such as those of chapters, are no page numbers.
  const lines = allPdfLines.filter((line) =>
    !same.has(line.text) && (isLarge(line) || !numbered.has(withoutNumbers(line.text)))
  )
  const isHeading = (line: PdfLine) => isLarge(line) && line.text.length <= maxHeadingLength
  const sizes = [...new Set(lines.filter(isHeading).map(({ height }) => Math.round(height)))].sort((a, b) => b - a)
  const blocks: Array<Block> = []
  let before: PdfLine | null = null
  for (const line of lines) {
    const level = isHeading(line) ? Math.min(6, sizes.indexOf(Math.round(line.height)) + 1) : 0
    const last = blocks.at(-1)
    const goesOn = last !== undefined && before !== null && last.level === level && before.page === line.page &&
      Math.abs(before.y - line.y) <= paragraphGap * Math.max(before.height, line.height)
    if (goesOn) blocks[blocks.length - 1] = { ...last, text: joinLines(last.text, line.text) }
    else blocks.push({ level, text: line.text, page: line.page })
    before = line
  }
  return blocks
}
