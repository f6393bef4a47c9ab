import { escapeXml } from "@trunkline/charts"
import type { Advances } from "./Advances.js"
import { familyOf, type Script } from "./Fonts.js"
import { piecesOf } from "./Pieces.js"

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

/** How much of a text is before its place. */
const anchors: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 }

/** From the middle of a line of Noto Sans to its baseline, in font sizes; other fonts have their middle elsewhere. */
const baseline = 0.388

/** Pieces that one text element can hold: the characters of no Indian script that follow one another, or one syllable. */
interface Run {
  text: string
  readonly script: Script
  readonly at: number
}

const runsOf = (
  text: string,
  advances: Advances,
  { bold, size }: { readonly bold: boolean; readonly size: number }
) => {
  const runs: Array<Run> = []
  let at = 0
  for (const piece of piecesOf(text)) {
    const last = runs.at(-1)
    if (last !== undefined && piece.script === null && last.script === null) last.text += piece.text
    else runs.push({ ...piece, at: at - size * advances.leadOf(piece, bold) })
    at += size * advances.widthOfPiece(piece, bold)
  }
  return { runs, width: at }
}

/**
 * Puts the text of an SVG where resvg draws it as it should be. Left to itself, it lets syllables of several glyphs run
 * into the next (linebender/resvg#1043), and takes one script for the whole of a text; so every syllable of an Indian
 * script becomes an element with its own place and font.
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
        familyOf(run.script)
      }" style="${style}">${escapeXml(run.text)}</text>`
    ).join("")
  })
