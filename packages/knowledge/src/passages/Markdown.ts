import { type Block, paragraph } from "./Block.js"

const fence = /^ {0,3}(`{3,}|~{3,})/
const atxHeading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/
const setextLine = /^ {0,3}(=+|-+)[ \t]*$/

/** Text of a line without the signs of links, pictures, emphasis, lists, quotes and tables. */
const withoutSigns = (line: string): string =>
  line
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replaceAll(/!?\[([^\]]+)\]\[[^\]]*\]/g, "$1")
    .replaceAll(/<(https?:[^>\s]+)>/g, "$1")
    .replaceAll(/(\*\*|__|~~)(?=\S)([^*_~]+)\1/g, "$2")
    .replaceAll(/(?<![\p{L}\p{N}])[*_](?=\S)([^*_]+)[*_](?![\p{L}\p{N}])/gu, "$1")
    .replaceAll("`", "")
    .replace(/^\s*(?:>\s*)+/, "")
    .replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, "")
    .replace(/^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/, "")
    .replaceAll(/\s*\|\s*/g, " ")

const frontMatter = /^---[ \t]*\n[^]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/

/**
 * Headings and paragraphs of a text in Markdown (CommonMark's headings, fences and lists; tables of GitHub), without its signs.
 * Code stays as it is, front matter and comments are left out.
 */
export const readMarkdown = (source: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let lines: Array<string> = []
  let openFence: string | null = null
  const close = () => {
    if (lines.length > 0) blocks.push(paragraph(lines.join("\n")))
    lines = []
  }
  for (const line of source.replace(frontMatter, "").replaceAll(/<!--[^]*?-->/g, "").split("\n")) {
    const mark = fence.exec(line)?.[1]
    if (openFence !== null) {
      if (mark?.startsWith(openFence) === true) openFence = null
      else lines.push(line)
      continue
    }
    if (mark !== undefined) {
      openFence = mark
      continue
    }
    const [, signs, title] = atxHeading.exec(line) ?? []
    const underline = setextLine.exec(line)?.[1]
    if (signs !== undefined) {
      close()
      blocks.push({ level: signs.length, text: withoutSigns(title ?? ""), page: null })
    } else if (underline !== undefined && lines.length === 1) {
      blocks.push({ level: underline.startsWith("=") ? 1 : 2, text: lines.join(""), page: null })
      lines = []
    } else if (line.trim() === "") close()
    else lines.push(withoutSigns(line))
  }
  close()
  return blocks
}
