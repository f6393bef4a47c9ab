import { type Chart, mapTexts } from "@trunkline/charts"
import { canDraw } from "./Fonts.js"

/** Text that is drawn in full, without some symbols, or not at all for want of a letter. */
type Drawable =
  | { readonly _tag: "Text"; readonly text: string; readonly leftOut: boolean }
  | { readonly _tag: "Missing"; readonly character: number }

/** Joins and variants, which have an effect but no look of their own. */
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u

/** What a text cannot be without: letters and their marks, and digits. */
const essential = /^[\p{L}\p{M}\p{N}]$/u

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const drawable = (text: string): Drawable => {
  let kept = ""
  let left: number | null = null
  for (const { segment } of graphemes.segment(text)) {
    const missing = [...segment].find((each) => !invisible.test(each) && !canDraw(each.codePointAt(0) ?? 0))
    if (missing === undefined) {
      kept += segment
      continue
    }
    left = missing.codePointAt(0) ?? 0
    if (essential.test(missing)) return { _tag: "Missing", character: left }
  }
  const rest = kept.replace(/\s+/g, " ").trim()
  if (left !== null && rest === "") return { _tag: "Missing", character: left }
  return { _tag: "Text", text: left === null ? text : rest, leftOut: left !== null }
}

/** A chart as the fonts here can draw it, or the first character that they would need for it. */
export type DrawableChart =
  | { readonly _tag: "Chart"; readonly chart: Chart }
  | { readonly _tag: "Missing"; readonly character: number }

const remark = "Symbols that no font has are left out"

/**
 * What the fonts here can draw of a chart. Symbols that they lack, such as emoji, are left out where words remain, and
 * a note says so; a chart with letters that they lack, or with a text of such symbols alone, is not drawn, because
 * readers could not tell its parts from one another.
 */
export const drawableChart = (chart: Chart): DrawableChart => {
  let missing: number | null = null
  let leftOut = false
  const changed = mapTexts(chart, (text) => {
    const result = drawable(text)
    if (result._tag === "Missing") {
      missing ??= result.character
      return text
    }
    leftOut ||= result.leftOut
    return result.text
  })
  if (missing !== null) return { _tag: "Missing", character: missing }
  if (!leftOut || changed.kind === "number") return { _tag: "Chart", chart: changed }
  return { _tag: "Chart", chart: { ...changed, note: changed.note === null ? remark : `${changed.note}. ${remark}` } }
}
