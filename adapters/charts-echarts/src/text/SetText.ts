import { escapeXml } from "@trunkline/charts"
import type { Advances } from "./Advances.js"
import { fontFamily, type WritingScript } from "./Fonts.js"
import { textUnits } from "./Syllables.js"

const textElement = /<text\b([^>]*)>([^<]*)<\/text>/g

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": "\"",
  "&#39;": "'"
}

const unescape = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? "")

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]

const sizeOf = (style: string): number => Number(/font-size:\s*([\d.]+)px/.exec(style)?.[1] ?? 12)

const isBold = (style: string): boolean => /font-weight:\s*(?:bold|[6-9]00)/.test(style)

/** Share of a text that is before its position, by anchor. */
const anchors: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 }

/** Distance from the middle of a line of Noto Sans to its baseline, in font sizes. */
const baseline = 0.388

/** Content of one text element: consecutive characters of no Indian script, or one syllable of one. */
interface Run {
  text: string
  readonly script: WritingScript
  readonly at: number
}

const runsOf = (
  text: string,
  advances: Advances,
  { bold, size }: { readonly bold: boolean; readonly size: number }
) => {
  const runs: Array<Run> = []
  let at = 0
  for (const unit of textUnits(text)) {
    const last = runs.at(-1)
    if (last !== undefined && unit.script === null && last.script === null) last.text += unit.text
    else runs.push({ ...unit, at: at - size * advances.leadOf(unit, bold) })
    at += size * advances.unitWidth(unit, bold)
  }
  return { runs, width: at }
}

/**
 * Positions the text of an SVG so that resvg draws it correctly. By itself, resvg lets syllables of several glyphs overlap
 * with the next (linebender/resvg#1043), and uses one script for a whole text. So every syllable of an Indian script
 * becomes an element with its own position and font.
 */
export const setText = (svg: string, advances: Advances): string =>
  svg.replace(textElement, (whole, attributes: string, content: string) => {
    const style = attribute(attributes, "style") ?? ""
    const size = sizeOf(style)
    const { runs, width } = runsOf(unescape(content), advances, { size, bold: isBold(style) })
    if (runs.every(({ script }) => script === null)) return whole
    const anchor = anchors[attribute(attributes, "text-anchor") ?? "start"] ?? 0
    const start = Number(attribute(attributes, "x") ?? 0) - width * anchor
    const isCentral = attribute(attributes, "dominant-baseline") === "central"
    const y = Number(attribute(attributes, "y") ?? 0) + (isCentral ? baseline * size : 0)
    const rest = attributes.replace(/\s(?:text-anchor|dominant-baseline|xml:space|style|x|y)="[^"]*"/g, "")
    return runs.map((run) =>
      `<text${rest} xml:space="preserve" x="${(start + run.at).toFixed(2)}" y="${y.toFixed(2)}" font-family="${
        fontFamily(run.script)
      }" style="${style}">${escapeXml(run.text)}</text>`
    ).join("")
  })
